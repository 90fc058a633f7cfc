package dev.postrider.relay;

import dev.postrider.spi.SeqRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The sequences a scan passed without seeing a row, for stores that cannot list their writers. Most belong to
 * transactions that are about to commit: their rows must be found before later messages of the same keys are claimed,
 * so every fetch looks into the gaps. A gap is given up after a minute. Not thread-safe: guarded by {@link RelayState}.
 */
final class Gaps {

    /** How many gaps are remembered; if there are more, neighbours are merged, and never forgotten. */
    static final int MOST = 512;

    private static final long CLUSTER = 16;
    private static final long LONGEST = Duration.ofMinutes(1).toNanos();

    private final TreeMap<Long, Gap> gaps = new TreeMap<>();

    private record Gap(SeqRange range, long sinceNanos) {}

    /** A scan went from {@code after} to {@code upTo} and saw {@code seen}; all else in between is a gap. */
    void passed(long after, long upTo, List<Long> seen, long nanos) {
        // The head may have gone back and may jump forward again, so what reaches beyond this scan is still a gap.
        Map.Entry<Long, Gap> lastPassed = gaps.lowerEntry(upTo);
        gaps.subMap(after, true, upTo, false).clear();
        if (lastPassed != null) {
            Gap gap = lastPassed.getValue();
            add(Math.max(gap.range.after(), upTo), gap.range.upTo(), gap.sinceNanos);
        }
        long last = after;
        for (long seq : seen) {
            if (seq > upTo) {
                break;
            }
            add(last, seq - 1, nanos);
            last = seq;
        }
        add(last, upTo, nanos);
        while (gaps.size() > MOST) {
            mergeNeighbours();
        }
    }

    /** The row that appeared here was scanned. */
    void found(long seq) {
        Map.Entry<Long, Gap> entry = gaps.lowerEntry(seq);
        if (entry == null || entry.getValue().range.upTo() < seq || gaps.size() >= MOST) {
            return;
        }
        Gap gap = entry.getValue();
        gaps.remove(entry.getKey());
        add(gap.range.after(), seq - 1, gap.sinceNanos);
        add(seq, gap.range.upTo(), gap.sinceNanos);
    }

    /** Gives up gaps that are too old. */
    void review(long nanos) {
        gaps.values().removeIf(gap -> nanos - gap.sinceNanos > LONGEST);
    }

    boolean isEmpty() {
        return gaps.isEmpty();
    }

    void clear() {
        gaps.clear();
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

    private void add(long after, long upTo, long nanos) {
        if (upTo > after) {
            gaps.put(after, new Gap(new SeqRange(after, upTo), nanos));
        }
    }

    // Makes one of every two. What lies between two gaps was scanned before; looking there again finds nothing new.
    private void mergeNeighbours() {
        List<Gap> all = List.copyOf(gaps.values());
        gaps.clear();
        for (int i = 0; i < all.size(); i += 2) {
            Gap first = all.get(i);
            Gap second = all.get(Math.min(i + 1, all.size() - 1));
            add(
                    first.range.after(),
                    second.range.upTo(),
                    first.sinceNanos - second.sinceNanos > 0 ? first.sinceNanos : second.sinceNanos);
        }
    }
}
