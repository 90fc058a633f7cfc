package dev.postrider.relay;

import dev.postrider.spi.SeqRange;
import java.util.Map;
import java.util.TreeMap;

/**
 * The sequences that are still to be scanned: everything above the head, and ranges below it whose rows have to be read
 * again. The lowest range is always scanned first, so that messages of a key are read in their order. Not thread-safe:
 * guarded by {@link RelayState}.
 */
final class ScanRanges {

    /** How many ranges are remembered; if there are more, neighbours are merged, and never forgotten. */
    static final int MOST = 64;

    private final TreeMap<Long, Long> below = new TreeMap<>();
    private long head = Long.MAX_VALUE;

    /** Returns the lowest range that is to be scanned. */
    SeqRange next() {
        Map.Entry<Long, Long> lowest = below.firstEntry();
        return lowest == null ? new SeqRange(head, Long.MAX_VALUE) : new SeqRange(lowest.getKey(), lowest.getValue());
    }

    /** Everything above {@code seq} is to be scanned, also what was scanned before. */
    void startAt(long seq) {
        if (head == Long.MAX_VALUE) {
            head = seq;
        } else {
            add(seq, head);
        }
    }

    /** The range is to be scanned again. */
    void add(long after, long upTo) {
        long from = after;
        long to = Math.min(upTo, head);
        // Without a head everything is still to be scanned.
        if (from >= to || head == Long.MAX_VALUE) {
            return;
        }
        Map.Entry<Long, Long> touched = below.floorEntry(to);
        while (touched != null && touched.getValue() >= from) {
            below.remove(touched.getKey());
            from = Math.min(from, touched.getKey());
            to = Math.max(to, touched.getValue());
            touched = below.floorEntry(to);
        }
        below.put(from, to);
        while (below.size() > MOST) {
            mergeClosest();
        }
    }

    /** A scan of the part up to {@code upTo} of a range that {@link #next} returned has ended. */
    void scanned(SeqRange range, long upTo) {
        if (range.upTo() == Long.MAX_VALUE) {
            head = Math.max(head, upTo);
            return;
        }
        Long end = below.get(range.after());
        if (end != null && upTo > range.after()) {
            below.remove(range.after());
            if (upTo < end) {
                below.put(upTo, end);
            }
        }
    }

    long head() {
        return head;
    }

    /** Returns the sequence above which something is still to be scanned. */
    long lowest() {
        return next().after();
    }

    private void mergeClosest() {
        long closest = Long.MAX_VALUE;
        long first = below.firstKey();
        Map.Entry<Long, Long> last = below.firstEntry();
        for (Map.Entry<Long, Long> next : below.tailMap(first, false).entrySet()) {
            if (next.getKey() - last.getValue() < closest) {
                closest = next.getKey() - last.getValue();
                first = last.getKey();
            }
            last = next;
        }
        Map.Entry<Long, Long> second = below.higherEntry(first);
        long end = second.getValue();
        below.remove(second.getKey());
        below.put(first, end);
    }
}
