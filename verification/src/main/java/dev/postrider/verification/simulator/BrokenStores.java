package dev.postrider.verification.simulator;

import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Outlook;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
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
import java.util.stream.Collectors;

/** Stores with one mistake each. Shared by all processes of a history. */
final class BrokenStores {

    private BrokenStores() {}

    /** Remembers the last claim on each row and lets a subclass change what a claim hands out. */
    private abstract static class ClaimChanging extends ForwardingStore {

        final Map<Long, ClaimedMessage> open = new TreeMap<>();

        ClaimChanging(OutboxStore store) {
            super(store);
        }

        @Override
        public ClaimedBatch claim(ClaimRequest request, SeqRange range) {
            ClaimedBatch batch = super.claim(request, range);
            return new ClaimedBatch(changed(batch.messages()), batch.scannedTo(), batch.full());
        }

        @Override
        public List<ClaimedMessage> claimWaiting(ClaimRequest request) {
            return changed(super.claimWaiting(request));
        }

        @Override
        public int settle(List<Settlement> outcomes) {
            outcomes.forEach(outcome -> open.remove(outcome.claimed().seq(), outcome.claimed()));
            return super.settle(outcomes);
        }

        private List<ClaimedMessage> changed(List<ClaimedMessage> messages) {
            List<ClaimedMessage> result = change(messages);
            messages.forEach(claimed -> open.put(claimed.seq(), claimed));
            return result;
        }

        List<ClaimedMessage> change(List<ClaimedMessage> messages) {
            return messages;
        }
    }

    /** Writes an outcome whoever has the claim now. */
    static final class UnfencedSettle extends ClaimChanging {

        UnfencedSettle(OutboxStore store) {
            super(store);
        }

        @Override
        public int settle(List<Settlement> outcomes) {
            return store.settle(outcomes.stream().map(this::withCurrentToken).toList());
        }

        private Settlement withCurrentToken(Settlement outcome) {
            ClaimedMessage current = open.getOrDefault(outcome.claimed().seq(), outcome.claimed());
            return new Settlement(
                    current,
                    outcome.outcome(),
                    outcome.delay(),
                    outcome.error(),
                    outcome.holdsKey(),
                    outcome.failure(),
                    outcome.took());
        }
    }

    /** Sees nothing in the gaps. */
    static final class GapsIgnored extends ForwardingStore {

        GapsIgnored(OutboxStore store) {
            super(store);
        }

        @Override
        public Outlook look(long after, int limit, List<SeqRange> gaps) {
            return super.look(after, limit, List.of());
        }
    }

    /** Lists no open transaction. */
    static final class WritersIgnored extends ForwardingStore {

        WritersIgnored(OutboxStore store) {
            super(store);
        }

        @Override
        public Optional<Set<Writer>> writers() {
            return super.writers().map(writers -> Set.of());
        }
    }

    /** Lists each open transaction under another name every time, so that its birth is forgotten. */
    static final class WritersRenamed extends ForwardingStore {

        private long readings;

        WritersRenamed(OutboxStore store) {
            super(store);
        }

        @Override
        public Optional<Set<Writer>> writers() {
            readings++;
            return super.writers()
                    .map(writers -> writers.stream()
                            .map(writer -> new Writer(writer.name() + " " + readings, false))
                            .collect(Collectors.toSet()));
        }
    }

    /** Never looks below the highest row it has seen. */
    static final class GlobalCursor extends ForwardingStore {

        private final Map<String, Long> heads = new HashMap<>();

        GlobalCursor(OutboxStore store) {
            super(store);
        }

        @Override
        public Outlook look(long after, int limit, List<SeqRange> gaps) {
            return super.look(after, limit, List.of());
        }

        @Override
        public ClaimedBatch claim(ClaimRequest request, SeqRange range) {
            long head = heads.getOrDefault(request.relay(), 0L);
            if (range.upTo() <= head) {
                return new ClaimedBatch(List.of(), range.upTo(), false);
            }
            ClaimedBatch batch = super.claim(request, range);
            heads.merge(request.relay(), batch.scannedTo(), Math::max);
            return batch;
        }
    }

    /** Counts a message as delivered once it is claimed. */
    static final class DeleteOnClaim extends ClaimChanging {

        DeleteOnClaim(OutboxStore store) {
            super(store);
        }

        @Override
        List<ClaimedMessage> change(List<ClaimedMessage> messages) {
            store.settle(messages.stream().map(Settlement::delivered).toList());
            return messages;
        }
    }

    /** Hands out shards whose owner lives. */
    static final class EarlySteal extends ForwardingStore {

        private final Map<Integer, String> owners = new HashMap<>();
        private final Map<Integer, OwnedShard> shards = new HashMap<>();

        EarlySteal(OutboxStore store) {
            super(store);
        }

        @Override
        public Membership renew(String relay, Duration ownFor) {
            Membership membership = super.renew(relay, ownFor);
            Set<Integer> free = new HashSet<>();
            for (int shard = 0; shard < Shards.COUNT; shard++) {
                free.add(shard);
            }
            membership.owned().forEach(shard -> free.remove(shard.shard()));
            return new Membership(membership.relays(), membership.owned(), free);
        }

        @Override
        public List<OwnedShard> acquire(String relay, Set<Integer> wanted) {
            wanted.stream().sorted().filter(shards::containsKey).forEach(shard -> {
                OwnedShard owned = shards.get(shard);
                String owner = owners.get(shard);
                if (owned != null && owner != null) {
                    store.release(owner, List.of(owned));
                }
            });
            List<OwnedShard> taken = super.acquire(relay, wanted);
            taken.forEach(shard -> {
                owners.put(shard.shard(), relay);
                shards.put(shard.shard(), shard);
            });
            return taken;
        }
    }

    /** Claims a row whose claim was lost, but hands it to nobody. */
    static final class LostStaysLost extends ClaimChanging {

        LostStaysLost(OutboxStore store) {
            super(store);
        }

        @Override
        List<ClaimedMessage> change(List<ClaimedMessage> messages) {
            return messages.stream().filter(this::isFresh).toList();
        }

        private boolean isFresh(ClaimedMessage claimed) {
            ClaimedMessage before = open.get(claimed.seq());
            return before == null || before.token() == claimed.token();
        }
    }

    /** Forgets under which epoch rows were claimed: what is in flight is claimable again. */
    static final class EpochIgnored extends ClaimChanging {

        EpochIgnored(OutboxStore store) {
            super(store);
        }

        @Override
        public ClaimedBatch claim(ClaimRequest request, SeqRange range) {
            List<Settlement> inFlight = open.values().stream()
                    .filter(claimed -> request.shards().contains(claimed.shard()))
                    .map(Settlement::released)
                    .toList();
            store.settle(inFlight);
            return super.claim(request, range);
        }
    }

    /** Claims in any shard, whoever owns it. */
    static final class AnyShard extends ForwardingStore {

        private final Map<Integer, String> owners = new TreeMap<>();

        AnyShard(OutboxStore store) {
            super(store);
        }

        @Override
        public List<OwnedShard> acquire(String relay, Set<Integer> shards) {
            List<OwnedShard> taken = super.acquire(relay, shards);
            taken.forEach(shard -> owners.put(shard.shard(), relay));
            return taken;
        }

        @Override
        public ClaimedBatch claim(ClaimRequest request, SeqRange range) {
            List<ClaimedMessage> messages = new ArrayList<>();
            for (String owner : owners.values().stream().distinct().toList()) {
                messages.addAll(store.claim(as(owner, request), range).messages());
            }
            return new ClaimedBatch(messages, range.after(), false);
        }

        private ClaimRequest as(String owner, ClaimRequest request) {
            Set<Integer> shards = new HashSet<>(owners.keySet());
            shards.removeIf(shard -> !owner.equals(owners.get(shard)));
            return new ClaimRequest(
                    owner, shards, request.closedTopics(), request.size(), request.claimFor(), request.token());
        }
    }

    /** Forgets that a message holds its key. */
    static final class HeldKeyIgnored extends ForwardingStore {

        HeldKeyIgnored(OutboxStore store) {
            super(store);
        }

        @Override
        public int settle(List<Settlement> outcomes) {
            return super.settle(
                    outcomes.stream().map(HeldKeyIgnored::withoutHold).toList());
        }

        private static Settlement withoutHold(Settlement outcome) {
            return outcome.outcome() == Settlement.Outcome.BEHIND
                    ? Settlement.released(outcome.claimed())
                    : new Settlement(
                            outcome.claimed(),
                            outcome.outcome(),
                            outcome.delay(),
                            outcome.error(),
                            false,
                            outcome.failure(),
                            outcome.took());
        }
    }

    /** Never calls a message that waits behind another. */
    static final class NeverPromoted extends ForwardingStore {

        NeverPromoted(OutboxStore store) {
            super(store);
        }

        @Override
        public List<ClaimedMessage> claimWaiting(ClaimRequest request) {
            List<ClaimedMessage> due = new ArrayList<>(super.claimWaiting(request));
            List<ClaimedMessage> promoted = due.stream()
                    .filter(claimed -> claimed.held() && claimed.attempt() == 1)
                    .toList();
            store.settle(promoted.stream().map(Settlement::behind).toList());
            due.removeAll(promoted);
            return due;
        }

        @Override
        public Unblocked unblock(Set<Integer> shards, long after) {
            return new Unblocked(0, 0);
        }
    }

    /** Gives a row the payload of its neighbour. */
    static final class PayloadMixed extends ClaimChanging {

        PayloadMixed(OutboxStore store) {
            super(store);
        }

        @Override
        List<ClaimedMessage> change(List<ClaimedMessage> messages) {
            if (messages.size() < 2) {
                return messages;
            }
            List<ClaimedMessage> mixed = new ArrayList<>(messages);
            mixed.set(0, withPayload(messages.get(0), messages.get(1).message().payload()));
            return mixed;
        }

        private static ClaimedMessage withPayload(ClaimedMessage claimed, byte[] payload) {
            return Messages.with(
                    claimed, Messages.copy(claimed.message()).payload(payload).restore());
        }
    }

    /** Hands out damaged rows as if they were sound. */
    static final class DefectIgnored extends ClaimChanging {

        DefectIgnored(OutboxStore store) {
            super(store);
        }

        @Override
        List<ClaimedMessage> change(List<ClaimedMessage> messages) {
            return messages.stream().map(Messages::withoutDefect).toList();
        }
    }

    /** Charges an attempt for a message that was only given back. */
    static final class ReleaseCosts extends ForwardingStore {

        ReleaseCosts(OutboxStore store) {
            super(store);
        }

        @Override
        public int settle(List<Settlement> outcomes) {
            return super.settle(outcomes.stream()
                    .map(outcome -> outcome.outcome() == Settlement.Outcome.RELEASED
                            ? Settlement.retry(outcome.claimed(), Duration.ZERO, "released", outcome.holdsKey())
                            : outcome)
                    .toList());
        }
    }

    /** Does not write down that a message is on trial. */
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
