package dev.postrider.relay;

import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * Where to look for claimable rows next. The head moves up with every claim and back when rows return to PENDING. Below
 * the head two sweeps look for transactions that committed late: one over what was passed in the last minutes, one that
 * slowly walks the whole table, because no time limit tells when the last writer has committed. Not thread-safe.
 */
final class ScanCursor {

    private static final long SWEEP_EVERY = Duration.ofSeconds(1).toNanos();
    private static final long WINDOW = Duration.ofMinutes(10).toNanos();
    private static final long WINDOW_ROWS = 50_000;
    private static final long CHUNK_ROWS = 10_000;

    private final Deque<Passed> trail = new ArrayDeque<>();
    private final Set<TopicName> catchingUp = new HashSet<>();
    private long head = Long.MAX_VALUE;
    private long resume = Long.MIN_VALUE;

    // How far the head went back while a claim was under way, which the end of that claim must not undo.
    private long rewound = Long.MAX_VALUE;
    private long nextSweep;
    private boolean swept;
    private long walked;
    private boolean walkNext;

    private record Passed(long nanos, long head) {}

    /** Returns the next range to claim from; a sweep now and then, the head otherwise. */
    SeqRange next(long nanos) {
        rewound = Long.MAX_VALUE;
        if (head == Long.MAX_VALUE || (swept && nanos - nextSweep < 0)) {
            return SeqRange.above(head == Long.MAX_VALUE ? 0 : head);
        }
        swept = true;
        nextSweep = nanos + SWEEP_EVERY;
        trail.addLast(new Passed(nanos, head));
        while (trail.size() > 1 && nanos - trail.getFirst().nanos > WINDOW) {
            trail.removeFirst();
        }
        walkNext = !walkNext;
        return walkNext ? walk() : window();
    }

    /** Takes note of what a claim found. */
    void scanned(SeqRange range, ClaimedBatch batch, long nanos) {
        if (range.upTo() == Long.MAX_VALUE) {
            // Shards that were gained while the claim was under way were not part of it.
            head = Math.min(batch.scannedTo(), rewound);
            if (head >= resume) {
                caughtUp();
            }
        } else if (batch.full()) {
            nextSweep = nanos;
            walkNext = !walkNext;
            walked = Math.min(walked, range.after());
        }
    }

    /** Goes back, so that everything above {@code seq} is looked at again. */
    void rewind(long seq) {
        head = Math.min(head, seq);
        rewound = Math.min(rewound, seq);
        caughtUp();
    }

    /** Goes back for the sake of one topic; {@link #forward} undoes it if the topic closes again. */
    void rewindFor(TopicName topic, long seq) {
        if (seq < head) {
            resume = Math.max(resume, head);
            head = seq;
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

    /** Returns where this or another relay may begin after a restart without missing a recent late commit. */
    long lowWater() {
        return windowStart();
    }

    long head() {
        return head;
    }

    private void caughtUp() {
        resume = Long.MIN_VALUE;
        catchingUp.clear();
    }

    private SeqRange window() {
        return new SeqRange(windowStart(), head);
    }

    private SeqRange walk() {
        long from = walked >= head ? 0 : walked;
        walked = Math.min(from + CHUNK_ROWS, head);
        return new SeqRange(from, walked);
    }

    private long windowStart() {
        long oldest = trail.isEmpty() ? head : Math.min(head, trail.getFirst().head);
        return Math.max(oldest, head - WINDOW_ROWS);
    }
}
