package dev.postrider.relay;

import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where to look for claimable rows next. The head moves up with every claim and back when rows return to PENDING. Below
 * the head a sweep reads the whole table in short steps, lap after lap, because a transaction may commit after its gap
 * was given up. A sweep step never goes above the head, so it never overtakes a row that was released. Not thread-safe:
 * guarded by {@link RelayState}.
 */
final class ScanCursor {

    // New messages wait while a sweep step runs, so a busy relay takes short steps and an idle one long steps. Every
    // relay sweeps the whole table; a relay with fewer shards sweeps more slowly, down to a quarter of the rate.
    private static final long STEP_EVERY = Duration.ofMillis(200).toNanos();
    private static final long NANOS_PER_ROW = Duration.ofSeconds(1).toNanos() / 10_000;
    private static final long LONGEST_STEP = 10_000;
    private static final int LEAST_SHARE = Shards.COUNT / 4;

    private final Set<TopicName> catchingUp = new HashSet<>();
    private long head = Long.MAX_VALUE;
    private long resume = Long.MIN_VALUE;

    // How far the head went back while a claim was under way, which the end of that claim must not undo.
    private long rewound = Long.MAX_VALUE;
    private long lastStep;
    private boolean swept;
    private long walked;

    // Where the lap ends. The head moves on with the traffic: a lap that followed it would never start over.
    private long lapEnd;

    // Whether the last scan was a sweep step. The next one is above the head, however long the step took.
    private boolean sweeping;

    // A step in which there was more than one claim takes.
    private @Nullable SeqRange unfinished;

    /** Begins a scan above the head. */
    long begin() {
        rewound = Long.MAX_VALUE;
        return head;
    }

    /** Ends a scan that came up to here. */
    void scanned(long upTo) {
        head = Math.min(upTo, rewound);
        if (head >= resume) {
            caughtUp();
        }
    }

    /** Returns the next sweep step if one is due for a relay with so many shards; never twice in a row. */
    Optional<SeqRange> sweep(long nanos, int shards) {
        Optional<SeqRange> step = sweeping ? Optional.empty() : nextStep(nanos, shards);
        sweeping = step.isPresent();
        return step;
    }

    private Optional<SeqRange> nextStep(long nanos, int shards) {
        if (head == Long.MAX_VALUE) {
            return Optional.empty();
        }
        SeqRange again = unfinished;
        if (again != null) {
            unfinished = null;
            lastStep = nanos;
            return step(again.after(), again.upTo());
        }
        long passed = (nanos - lastStep) * Math.max(shards, LEAST_SHARE) / Shards.COUNT;
        if (swept && passed < STEP_EVERY) {
            return Optional.empty();
        }
        long rows = swept ? Math.min(passed / NANOS_PER_ROW, LONGEST_STEP) : LONGEST_STEP;
        swept = true;
        lastStep = nanos;
        long from = walked;
        if (walked >= lapEnd) {
            from = 0;
            lapEnd = head;
        }
        walked = Math.min(from + rows, lapEnd);
        return step(from, walked);
    }

    private Optional<SeqRange> step(long after, long upTo) {
        long end = Math.min(upTo, head);
        return end > after ? Optional.of(new SeqRange(after, end)) : Optional.empty();
    }

    /** Ends a sweep step; if there was more in it than one claim takes, the next step is the same one. */
    void swept(SeqRange range, ClaimedBatch batch, long nanos) {
        unfinished = batch.full() ? range : null;
        lastStep = nanos;
    }

    /** Returns whether the last sweep step found more than one claim takes. */
    boolean hasMoreToSweep() {
        return unfinished != null;
    }

    /** Goes back, so that everything above {@code seq} is looked at again. */
    void rewind(long seq) {
        head = Math.min(head, seq);
        rewound = Math.min(rewound, seq);
        caughtUp();
    }

    /** Goes back for the sake of one topic; {@link #forward} undoes it if the topic closes again. */
    void rewindFor(TopicName topic, long seq) {
        // Another topic may have taken the head back further; this one has to be waited for all the same.
        long front = Math.max(head, resume);
        if (seq < front) {
            resume = front;
            head = Math.min(head, seq);
            catchingUp.add(topic);
        }
    }

    /** Takes up where the scan was before it went back for this topic, unless another topic is still catching up. */
    void forward(TopicName topic) {
        if (catchingUp.remove(topic) && catchingUp.isEmpty()) {
            head = Math.max(head, resume);
            resume = Long.MIN_VALUE;
        }
    }

    long head() {
        return head;
    }

    /** Returns how far the head went back since the scan began, or {@link Long#MAX_VALUE} if it did not. */
    long rewound() {
        return rewound;
    }

    private void caughtUp() {
        resume = Long.MIN_VALUE;
        catchingUp.clear();
    }
}
