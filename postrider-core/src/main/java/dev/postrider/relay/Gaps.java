package dev.postrider.relay;

import dev.postrider.spi.Outlook;
import dev.postrider.spi.SeqRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * The sequences a scan passed without seeing a row. Most belong to transactions that are about to commit: their rows
 * must be found before later messages of the same keys are claimed, so every fetch looks into the gaps first. A gap is
 * given up when all transactions of its time have ended, or after a minute where the store cannot tell. Not
 * thread-safe: guarded by {@link RelayState}.
 */
final class Gaps {

    private static final int MOST = 2_000;
    private static final long CLUSTER = 16;
    private static final long LONGEST = Duration.ofMinutes(1).toNanos();

    // A transaction draws its sequence a moment before it gets its number, so the numbers are read a little later.
    private static final long SETTLED_AFTER = Duration.ofSeconds(5).toNanos();

    private final TreeMap<Long, Gap> gaps = new TreeMap<>();

    private record Gap(SeqRange range, long sinceNanos, long horizon) {}

    /** A scan went from {@code after} to {@code upTo} and saw {@code seen}; all else in between is a gap. */
    void passed(long after, long upTo, List<Long> seen, long nanos) {
        // The head may have gone back and may jump forward again, so what reaches beyond this scan is still a gap.
        var lastPassed = gaps.lowerEntry(upTo);
        gaps.subMap(after, true, upTo, false).clear();
        if (lastPassed != null) {
            Gap gap = lastPassed.getValue();
            add(Math.max(gap.range.after(), upTo), gap.range.upTo(), gap.sinceNanos, gap.horizon);
        }
        long last = after;
        for (long seq : seen) {
            if (seq > upTo) {
                break;
            }
            add(last, seq - 1, nanos, Outlook.UNKNOWN);
            last = seq;
        }
        add(last, upTo, nanos, Outlook.UNKNOWN);
        while (gaps.size() > MOST) {
            gaps.values().stream()
                    .min(Comparator.comparingLong(Gap::sinceNanos))
                    .ifPresent(oldest -> gaps.remove(oldest.range.after()));
        }
    }

    /** The row that appeared here was scanned. */
    void found(long seq) {
        var entry = gaps.lowerEntry(seq);
        if (entry == null || entry.getValue().range.upTo() < seq) {
            return;
        }
        Gap gap = entry.getValue();
        gaps.remove(entry.getKey());
        add(gap.range.after(), seq - 1, gap.sinceNanos, gap.horizon);
        add(seq, gap.range.upTo(), gap.sinceNanos, gap.horizon);
    }

    /** Gives up gaps that can no longer be filled. */
    void review(Outlook outlook, long nanos) {
        gaps.values().removeIf(gap -> isClosed(gap, outlook, nanos));
        if (outlook.begun() != Outlook.UNKNOWN) {
            gaps.replaceAll((after, gap) -> gap.horizon == Outlook.UNKNOWN && nanos - gap.sinceNanos > SETTLED_AFTER
                    ? new Gap(gap.range, gap.sinceNanos, outlook.begun())
                    : gap);
        }
    }

    /** Returns the gaps below a scan's head; what is above it will be passed again. */
    List<SeqRange> below(long head) {
        return gaps.headMap(head, false).values().stream()
                .map(gap -> new SeqRange(gap.range.after(), Math.min(gap.range.upTo(), head)))
                .toList();
    }

    /** Returns where a scan may begin so that it passes every gap again, or {@link Long#MAX_VALUE}. */
    long lowest() {
        return gaps.isEmpty() ? Long.MAX_VALUE : gaps.firstKey();
    }

    /** Returns ranges that hold all these rows and not much else. */
    static List<SeqRange> clusters(List<Long> rows) {
        List<SeqRange> clusters = new ArrayList<>();
        for (long seq : rows) {
            int last = clusters.size() - 1;
            if (last >= 0 && seq - clusters.get(last).upTo() <= CLUSTER) {
                clusters.set(last, new SeqRange(clusters.get(last).after(), seq));
            } else {
                clusters.add(new SeqRange(seq - 1, seq));
            }
        }
        return clusters;
    }

    private static boolean isClosed(Gap gap, Outlook outlook, long nanos) {
        if (outlook.ended() == Outlook.UNKNOWN) {
            return nanos - gap.sinceNanos > LONGEST;
        }
        return gap.horizon != Outlook.UNKNOWN && outlook.ended() >= gap.horizon;
    }

    private void add(long after, long upTo, long nanos, long horizon) {
        if (upTo > after) {
            gaps.put(after, new Gap(new SeqRange(after, upTo), nanos, horizon));
        }
    }
}
