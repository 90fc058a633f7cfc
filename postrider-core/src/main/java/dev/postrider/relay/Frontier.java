package dev.postrider.relay;

import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Writer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Where rows may still appear below the head of a scan. Only a transaction that was open when the scan passed a hole
 * can fill it. So this class remembers open transactions, each with its birth: the highest row that could be seen
 * before the transaction was listed for the first time, below which it has no row. Sequences that were rolled back cost
 * nothing, and a long transaction costs one scan of the holes above its birth, when it ends. Not thread-safe: guarded
 * by {@link RelayState}.
 */
final class Frontier {

    /** How many ranges with holes are remembered; neighbours are merged, and never forgotten. */
    static final int MOST = 64;

    private final TreeMap<Long, Long> holed = new TreeMap<>();
    private final Map<String, Long> births = new HashMap<>();
    private long top;

    // The highest row that had been seen when the writers were last read.
    private long topThen;

    // What was not scanned again yet although a writer ended.
    private long againFrom = Long.MAX_VALUE;

    // The head at the last review. It may have gone back and may jump forward again, so holes above it are kept.
    private long reviewedTo;

    /** A scan went from {@code after} to {@code upTo} and saw so many rows there. */
    void passed(long after, long upTo, long seen) {
        top = Math.max(top, upTo);
        if (upTo - after <= seen) {
            return;
        }
        holed.merge(after, upTo, Math::max);
        while (holed.size() > MOST) {
            mergeClosest();
        }
    }

    /** Returns whether no row can appear below the head. */
    boolean isClear() {
        return holed.isEmpty();
    }

    /**
     * Takes the writers as they were read after the last scan, and returns what has to be scanned again before the rows
     * of that scan are handed on: where those that ended since may have had rows.
     */
    List<SeqRange> review(Set<Writer> writers, long head) {
        Set<String> names = writers.stream().map(Writer::name).collect(Collectors.toSet());
        // A transaction that began and ended between two readings has no row below what was seen at the first.
        againFrom = Math.min(againFrom, topThen);
        births.entrySet().removeIf(writer -> {
            boolean ended = !names.contains(writer.getKey());
            if (ended) {
                againFrom = Math.min(againFrom, writer.getValue());
            }
            return ended;
        });
        writers.forEach(writer -> births.putIfAbsent(writer.name(), writer.renamed() ? 0 : topThen));
        topThen = top;
        reviewedTo = head;
        return above(againFrom, head);
    }

    /** What was returned by the last review has been scanned again. */
    void reviewed() {
        boolean beyond = !above(reviewedTo, Long.MAX_VALUE).isEmpty();
        againFrom = beyond ? Math.max(againFrom, reviewedTo) : Long.MAX_VALUE;
        long oldest = births.values().stream().min(Long::compare).orElse(Long.MAX_VALUE);
        List<SeqRange> open = above(Math.min(oldest, beyond ? reviewedTo : oldest), Long.MAX_VALUE);
        holed.clear();
        open.forEach(range -> holed.put(range.after(), range.upTo()));
    }

    /** Returns where a scan may begin so that it passes every hole again, or {@link Long#MAX_VALUE}. */
    long lowest() {
        return holed.isEmpty() ? Long.MAX_VALUE : holed.firstKey();
    }

    private List<SeqRange> above(long seq, long head) {
        List<SeqRange> ranges = new ArrayList<>();
        holed.forEach((after, upTo) -> {
            long from = Math.max(after, seq);
            long to = Math.min(upTo, head);
            if (from < to) {
                ranges.add(new SeqRange(from, to));
            }
        });
        return ranges;
    }

    private void mergeClosest() {
        long closest = Long.MAX_VALUE;
        long first = holed.firstKey();
        Map.Entry<Long, Long> last = holed.firstEntry();
        for (Map.Entry<Long, Long> next : holed.tailMap(first, false).entrySet()) {
            if (next.getKey() - last.getValue() < closest) {
                closest = next.getKey() - last.getValue();
                first = last.getKey();
            }
            last = next;
        }
        Map.Entry<Long, Long> second = holed.higherEntry(first);
        holed.remove(second.getKey());
        holed.merge(first, second.getValue(), Math::max);
    }
}
