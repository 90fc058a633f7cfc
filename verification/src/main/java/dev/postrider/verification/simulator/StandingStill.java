package dev.postrider.verification.simulator;

import dev.postrider.spi.Acquired;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RelayReport;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Shards;
import dev.postrider.spi.Unblocked;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Relays with one mistake each that stops delivery in some situation. One of each per process. */
final class StandingStill {

    private StandingStill() {}

    private static boolean isAudit(FetchRequest request) {
        return request.size().bytes() == Long.MAX_VALUE;
    }

    /** Does some housekeeping 200 ms after it began the last time, and fetches nothing in that turn. */
    static final class HousekeepingFirst extends ForwardingStore {

        private static final long EVERY = Duration.ofMillis(200).toNanos();

        private final RelayProcess process;
        private long begun;

        HousekeepingFirst(OutboxStore store, RelayProcess process) {
            super(store);
            this.process = process;
        }

        @Override
        public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
            if (range.upTo() < Long.MAX_VALUE || process.now() - begun < EVERY) {
                return super.fetch(request, range, rows);
            }
            begun = process.now();
            Unblocked step = super.unblock(request.shards(), 0);
            return new FetchedPage(List.of(), range.after(), step.next() < 0, 0, List.of());
        }
    }

    /** Looks at the table below the head only once. */
    static final class AuditOnce extends ForwardingStore {

        AuditOnce(OutboxStore store) {
            super(store);
        }

        @Override
        public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
            return isAudit(request)
                    ? new FetchedPage(List.of(), range.upTo(), false, 0, List.of())
                    : super.fetch(request, range, rows);
        }
    }

    /** Lets two due messages of one key release each other. */
    static final class DueReleased extends ForwardingStore {

        DueReleased(OutboxStore store) {
            super(store);
        }

        @Override
        public FetchedDue fetchDue(FetchRequest request, @Nullable DuePosition after) {
            FetchedDue due = super.fetchDue(request, after);
            Set<String> keys = new HashSet<>();
            boolean pair = due.rows().stream()
                    .anyMatch(row -> !keys.add(row.claimed().message().key().orElse("row " + row.seq())));
            return pair ? new FetchedDue(List.of(), null) : due;
        }
    }

    /** Begins every look for due rows with the first. */
    static final class DueFromStart extends ForwardingStore {

        DueFromStart(OutboxStore store) {
            super(store);
        }

        @Override
        public FetchedDue fetchDue(FetchRequest request, @Nullable DuePosition after) {
            return super.fetchDue(request, null);
        }
    }

    /** Stands still for a time that grows with the square of the missing sequences. */
    static final class HolesQuadratic extends ForwardingStore {

        private static final long NANOS = 20_000;

        private final RelayProcess process;

        HolesQuadratic(OutboxStore store, RelayProcess process) {
            super(store);
            this.process = process;
        }

        @Override
        public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
            FetchedPage page = super.fetch(request, range, rows);
            long missing = page.scannedTo() - range.after() - page.seen();
            if (missing > 10) {
                process.freeze(missing * missing * NANOS, false);
                process.pass(0);
            }
            return page;
        }
    }

    /** Walks through all messages that wait behind another before each heartbeat. */
    static final class UnblockOnHeartbeat extends ForwardingStore {

        private static final long STEP = Duration.ofSeconds(40).toNanos();
        private static final Set<Integer> ALL_SHARDS =
                IntStream.range(0, Shards.COUNT).boxed().collect(Collectors.toUnmodifiableSet());

        private final RelayProcess process;

        UnblockOnHeartbeat(OutboxStore store, RelayProcess process) {
            super(store);
            this.process = process;
        }

        @Override
        public Membership renew(RelayReport report, Duration ownFor) {
            Unblocked step = super.unblock(ALL_SHARDS, 0);
            while (step.next() > 0) {
                process.pass(STEP);
                step = super.unblock(ALL_SHARDS, step.next());
            }
            return super.renew(report, ownFor);
        }
    }

    /** Takes every message for a suspect, so that each goes alone. */
    static final class EveryoneSuspect extends ForwardingStore {

        EveryoneSuspect(OutboxStore store) {
            super(store);
        }

        @Override
        public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
            return Messages.with(super.fetch(request, range, rows), EveryoneSuspect::suspects);
        }

        private static List<FetchedRow> suspects(List<FetchedRow> rows) {
            return rows.stream()
                    .map(row -> Messages.with(row, suspect(row.claimed())))
                    .toList();
        }

        private static ClaimedMessage suspect(ClaimedMessage claimed) {
            return new ClaimedMessage(
                    claimed.seq(),
                    claimed.token(),
                    claimed.claimedBy(),
                    claimed.shard(),
                    claimed.epoch(),
                    claimed.attempt(),
                    claimed.held(),
                    Plan.QUARANTINE_AFTER,
                    claimed.onTrial(),
                    claimed.defect(),
                    claimed.message());
        }
    }

    /** Stands by whenever a take-over took longer than 90 ms. */
    static final class ImpatientStandby extends ForwardingStore {

        private static final long LONGEST = Duration.ofMillis(90).toNanos();

        private final RelayProcess process;

        ImpatientStandby(OutboxStore store, RelayProcess process) {
            super(store);
            this.process = process;
        }

        @Override
        public Acquired acquire(String relay, Set<Integer> shards) {
            long begun = process.now();
            Acquired acquired = super.acquire(relay, shards);
            if (process.now() - begun > LONGEST) {
                super.release(relay, acquired.shards());
                return Acquired.NOTHING;
            }
            return acquired;
        }
    }
}
