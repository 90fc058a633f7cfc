package dev.postrider.verification.simulator;

import dev.postrider.admin.Decision;
import dev.postrider.admin.OutboxAdmin;
import dev.postrider.spi.Acquired;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.RelayReport;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicFilter;
import dev.postrider.spi.Unblocked;
import dev.postrider.spi.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Stores with one mistake each. Shared by all processes of a history. */
final class BrokenStores {

    private BrokenStores() {}

    /** Lets a subclass change the rows that a fetch returns. */
    private abstract static class FetchChanging extends ForwardingStore {

        FetchChanging(OutboxStore store) {
            super(store);
        }

        @Override
        public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
            return Messages.with(super.fetch(request, range, rows), this::change);
        }

        @Override
        public FetchedDue fetchDue(FetchRequest request, @Nullable DuePosition after) {
            FetchedDue due = super.fetchDue(request, after);
            return new FetchedDue(change(due.rows()), due.next());
        }

        abstract List<FetchedRow> change(List<FetchedRow> rows);
    }

    /** Knows who owns which shard. */
    private abstract static class OwnersKnown extends ForwardingStore {

        final Map<Integer, String> owners = new TreeMap<>();
        final Map<Integer, OwnedShard> shards = new TreeMap<>();

        OwnersKnown(OutboxStore store) {
            super(store);
        }

        @Override
        public Acquired acquire(String relay, Set<Integer> wanted) {
            Acquired acquired = super.acquire(relay, wanted);
            acquired.shards().forEach(shard -> {
                owners.put(shard.shard(), relay);
                shards.put(shard.shard(), shard);
            });
            return acquired;
        }

        /** Returns a request for the shards of {@code owner}, as that relay would make it. */
        FetchRequest as(String owner, FetchRequest request) {
            Map<Integer, Long> epochs = new TreeMap<>();
            shards.values().stream()
                    .filter(shard -> owner.equals(owners.get(shard.shard())))
                    .forEach(shard -> epochs.put(shard.shard(), shard.epoch()));
            return new FetchRequest(
                    owner, epochs, request.topics(), request.size(), request.inFlight(), request.token(), Set.of());
        }
    }

    /** Writes some outcomes whoever owns the shard now. */
    static final class UnfencedSettle extends OwnersKnown {

        private final Predicate<Settlement> unfenced;

        UnfencedSettle(OutboxStore store, Predicate<Settlement> unfenced) {
            super(store);
            this.unfenced = unfenced;
        }

        @Override
        public Settled settle(List<Settlement> outcomes) {
            return super.settle(outcomes.stream()
                    .map(outcome -> unfenced.test(outcome) ? asOwner(outcome) : outcome)
                    .toList());
        }

        private Settlement asOwner(Settlement outcome) {
            ClaimedMessage claimed = outcome.claimed();
            String owner = owners.get(claimed.shard());
            OwnedShard shard = shards.get(claimed.shard());
            return owner == null || shard == null
                    ? outcome
                    : Messages.with(outcome, Messages.with(claimed, owner, claimed.shard(), shard.epoch()));
        }
    }

    /** Shows rows that have appeared only in the last holes. */
    static final class LastGaps extends ForwardingStore {

        private final int most;

        LastGaps(OutboxStore store, int most) {
            super(store);
            this.most = most;
        }

        @Override
        public List<Long> appeared(Set<Integer> shards, TopicFilter topics, List<SeqRange> holes) {
            return super.appeared(shards, topics, holes.subList(Math.max(0, holes.size() - most), holes.size()));
        }
    }

    /** Reads the open transactions before the rows instead of after them. */
    static final class WritersReadEarly extends ForwardingStore {

        private Optional<Set<Writer>> read = Optional.empty();

        WritersReadEarly(OutboxStore store) {
            super(store);
        }

        @Override
        public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
            read = super.writers();
            return super.fetch(request, range, rows);
        }

        @Override
        public Optional<Set<Writer>> writers() {
            return read;
        }
    }

    /** Deletes delivered rows on its own. */
    static final class PurgedAtOnce extends ForwardingStore {

        private final OutboxAdmin admin;

        PurgedAtOnce(OutboxStore store, OutboxAdmin admin) {
            super(store);
            this.admin = admin;
        }

        @Override
        public Settled settle(List<Settlement> outcomes) {
            int purged = admin.purge(Duration.ZERO, 1, new Decision("mutant", "at once"));
            assert purged <= 1;
            return super.settle(outcomes);
        }
    }

    /** Changes the list of open transactions; {@code readings} counts how often it was read. */
    static final class WritersChanged extends ForwardingStore {

        private final WritersChange change;
        private long readings;

        /** What becomes of a list. */
        interface WritersChange {

            Set<Writer> of(Set<Writer> writers, long readings);
        }

        WritersChanged(OutboxStore store, WritersChange change) {
            super(store);
            this.change = change;
        }

        @Override
        public Optional<Set<Writer>> writers() {
            readings++;
            return super.writers().map(writers -> change.of(writers, readings));
        }
    }

    static Set<Writer> noWriters(Set<Writer> writers, long readings) {
        return Set.of();
    }

    static Set<Writer> renamedWriters(Set<Writer> writers, long readings) {
        return writers.stream()
                .map(writer -> new Writer(writer.name() + " " + readings, false))
                .collect(Collectors.toSet());
    }

    /** Never reads below the highest row it has read. */
    static final class GlobalCursor extends ForwardingStore {

        private final Map<String, Long> heads = new HashMap<>();

        GlobalCursor(OutboxStore store) {
            super(store);
        }

        @Override
        public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
            long head = heads.getOrDefault(request.relay(), 0L);
            if (range.upTo() <= head) {
                return new FetchedPage(List.of(), range.upTo(), false, 0, List.of());
            }
            FetchedPage page = super.fetch(request, range, rows);
            heads.merge(request.relay(), page.scannedTo(), Math::max);
            return page;
        }
    }

    /** Counts a message as delivered once it is fetched. */
    static final class DeleteOnFetch extends FetchChanging {

        DeleteOnFetch(OutboxStore store) {
            super(store);
        }

        @Override
        List<FetchedRow> change(List<FetchedRow> rows) {
            store.settle(rows.stream()
                    .map(row -> Settlement.delivered(row.claimed()))
                    .toList());
            return rows;
        }
    }

    /** Hands out shards whose owner lives. */
    static final class EarlySteal extends OwnersKnown {

        EarlySteal(OutboxStore store) {
            super(store);
        }

        @Override
        public Membership renew(RelayReport report, Duration ownFor) {
            Membership membership = super.renew(report, ownFor);
            Set<Integer> free = new HashSet<>();
            for (int shard = 0; shard < Shards.COUNT; shard++) {
                free.add(shard);
            }
            membership.owned().forEach(shard -> free.remove(shard.shard()));
            return new Membership(membership.relays(), membership.owned(), free, membership.wanted());
        }

        @Override
        public Acquired acquire(String relay, Set<Integer> wanted) {
            wanted.stream().sorted().forEach(shard -> {
                OwnedShard owned = shards.get(shard);
                String owner = owners.get(shard);
                if (owned != null && owner != null) {
                    store.release(owner, List.of(owned));
                }
            });
            return super.acquire(relay, wanted);
        }
    }

    /** Hands a row that was in flight when its shard changed hands to nobody. */
    static final class LostStaysLost extends FetchChanging {

        private final Map<Long, Long> epochs = new HashMap<>();

        LostStaysLost(OutboxStore store) {
            super(store);
        }

        @Override
        List<FetchedRow> change(List<FetchedRow> rows) {
            return rows.stream().filter(this::isFresh).toList();
        }

        private boolean isFresh(FetchedRow row) {
            long epoch = row.claimed().epoch();
            return epochs.merge(row.seq(), epoch, (before, now) -> before) == epoch;
        }
    }

    /** Answers a relay that has lost its shards as if it still owned them. */
    static final class EpochIgnored extends OwnersKnown {

        EpochIgnored(OutboxStore store) {
            super(store);
        }

        @Override
        public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
            FetchedPage page = super.fetch(request, range, rows);
            if (!page.full() || page.scannedTo() > range.after()) {
                return page;
            }
            List<FetchedRow> found = new ArrayList<>();
            for (String owner : Set.copyOf(owners.values())) {
                super.fetch(as(owner, request), range, rows).rows().stream()
                        .filter(row ->
                                request.epochs().containsKey(row.claimed().shard()))
                        .map(row -> inTheNameOf(request, row))
                        .forEach(found::add);
            }
            return new FetchedPage(found, range.after(), false, 0, List.of());
        }

        private static FetchedRow inTheNameOf(FetchRequest request, FetchedRow row) {
            int shard = row.claimed().shard();
            long epoch = request.epochs().getOrDefault(shard, 0L);
            return Messages.with(row, Messages.with(row.claimed(), request.relay(), shard, epoch));
        }
    }

    /** Reads in any shard, whoever owns it, and tells the relay that the rows are of a shard of its own. */
    static final class AnyShard extends OwnersKnown {

        AnyShard(OutboxStore store) {
            super(store);
        }

        @Override
        public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
            FetchedPage own = super.fetch(request, range, rows);
            List<FetchedRow> found = new ArrayList<>(own.rows());
            Map.Entry<Integer, Long> mine = new TreeMap<>(request.epochs()).firstEntry();
            for (String owner : Set.copyOf(owners.values())) {
                if (!owner.equals(request.relay())) {
                    super.fetch(as(owner, request), new SeqRange(range.after(), own.scannedTo()), rows).rows().stream()
                            .map(row -> Messages.with(
                                    row, Messages.with(row.claimed(), request.relay(), mine.getKey(), mine.getValue())))
                            .forEach(found::add);
                }
            }
            return new FetchedPage(found, own.scannedTo(), own.full(), own.seen(), own.holes());
        }
    }

    /** Changes outcomes before they are written. */
    static final class OutcomesChanged extends ForwardingStore {

        private final UnaryOperator<Settlement> change;

        OutcomesChanged(OutboxStore store, UnaryOperator<Settlement> change) {
            super(store);
            this.change = change;
        }

        @Override
        public Settled settle(List<Settlement> outcomes) {
            return super.settle(outcomes.stream().map(change).toList());
        }
    }

    static Settlement withoutHold(Settlement outcome) {
        return outcome.outcome() == Settlement.Outcome.BEHIND ? outcome : Messages.withHold(outcome, false);
    }

    /** Never returns a message that has waited behind another. */
    static final class NeverPromoted extends FetchChanging {

        NeverPromoted(OutboxStore store) {
            super(store);
        }

        @Override
        List<FetchedRow> change(List<FetchedRow> rows) {
            return rows.stream()
                    .filter(row -> !row.claimed().held() || row.claimed().attempt() > 1)
                    .toList();
        }

        @Override
        public Unblocked unblock(Set<Integer> shards, long after) {
            return new Unblocked(0, 0);
        }
    }

    /** Gives a row the payload of its neighbour. */
    static final class PayloadMixed extends FetchChanging {

        PayloadMixed(OutboxStore store) {
            super(store);
        }

        @Override
        List<FetchedRow> change(List<FetchedRow> rows) {
            if (rows.size() < 2) {
                return rows;
            }
            byte[] payload = rows.get(1).claimed().message().payload();
            List<FetchedRow> mixed = new ArrayList<>(rows);
            mixed.set(0, withPayload(rows.get(0), payload));
            return mixed;
        }

        private static FetchedRow withPayload(FetchedRow row, byte[] payload) {
            ClaimedMessage claimed = row.claimed();
            return Messages.with(
                    row,
                    Messages.with(
                            claimed,
                            Messages.copy(claimed.message()).payload(payload).restore()));
        }
    }

    /** Hands out damaged rows as if they were sound. */
    static final class DefectIgnored extends FetchChanging {

        DefectIgnored(OutboxStore store) {
            super(store);
        }

        @Override
        List<FetchedRow> change(List<FetchedRow> rows) {
            return rows.stream()
                    .map(row -> Messages.with(row, Messages.withoutDefect(row.claimed())))
                    .toList();
        }
    }

    /** Does not record that a message is on trial. */
    static final class TrialForgotten extends ForwardingStore {

        TrialForgotten(OutboxStore store) {
            super(store);
        }

        @Override
        public boolean beginTrial(ClaimedMessage claimed) {
            return true;
        }
    }
}
