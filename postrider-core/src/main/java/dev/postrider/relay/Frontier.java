package dev.postrider.relay;

import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Where rows may still appear below the head of a scan. Only a transaction that was open when the scan passed a hole
 * can fill it. So this class remembers open transactions, each with its birth: the highest row that could be seen
 * before the transaction was listed for the first time, below which it has no row. Sequences that were rolled back cost
 * nothing, and a long transaction costs one scan of the holes above its birth, when it ends. If the store cannot list
 * its transactions, every hole is looked into for a minute. Not thread-safe: guarded by {@link RelayState}.
 */
final class Frontier {

    /** How many ranges with holes are remembered; neighbours are merged, and never forgotten. */
    static final int MOST = 512;

    // Ranges so close together are read at once: each read is a round trip.
    private static final long CLOSE = 1_000;

    private static final long GIVEN_UP_AFTER = Duration.ofMinutes(1).toNanos();

    private final TreeMap<Long, Hole> holes = new TreeMap<>();
    private final Map<String, Long> births = new HashMap<>();
    private long top;

    // The highest row that had been seen when the writers were last read.
    private long topThen;

    // What was not scanned again yet although a writer ended.
    private long againFrom = Long.MAX_VALUE;

    // The head at the last review. It may have gone back and may jump forward again, so holes above it are kept.
    private long reviewedTo;

    private record Hole(long upTo, long sinceNanos) {}

    /** Makes one range of those that are close together; takes and returns them in their order. */
    static List<SeqRange> joined(List<SeqRange> ranges) {
        List<SeqRange> clusters = new ArrayList<>();
        for (SeqRange range : ranges) {
            int last = clusters.size() - 1;
            if (last >= 0 && range.upTo() - clusters.get(last).upTo() <= CLOSE) {
                clusters.set(last, new SeqRange(clusters.get(last).after(), range.upTo()));
            } else {
                clusters.add(range);
            }
        }
        return clusters;
    }

    /** A scan read this range and found these holes in it. */
    void passed(SeqRange scanned, List<SeqRange> found, long nanos) {
        top = Math.max(top, scanned.upTo());
        forget(scanned);
        found.forEach(hole -> put(hole.after(), hole.upTo(), nanos));
        while (holes.size() > MOST) {
            mergeNeighbours();
        }
    }

    /** Returns whether no row can appear below the head. */
    boolean isClear() {
        return holes.isEmpty();
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
        return between(againFrom, head);
    }

    /** What was returned by the last review has been scanned again. */
    void reviewed() {
        boolean beyond = !between(reviewedTo, Long.MAX_VALUE).isEmpty();
        againFrom = beyond ? Math.max(againFrom, reviewedTo) : Long.MAX_VALUE;
        long oldest = births.values().stream().min(Long::compare).orElse(Long.MAX_VALUE);
        long open = Math.min(oldest, beyond ? reviewedTo : oldest);
        forget(new SeqRange(0, open));
    }

    /** Gives up holes that are too old to be filled by most transactions; returns where the lowest began. */
    OptionalLong giveUp(long nanos) {
        OptionalLong lowest = holes.entrySet().stream()
                .filter(hole -> isTooOld(hole.getValue(), nanos))
                .mapToLong(Map.Entry::getKey)
                .min();
        holes.values().removeIf(hole -> isTooOld(hole, nanos));
        return lowest;
    }

    private static boolean isTooOld(Hole hole, long nanos) {
        return nanos - hole.sinceNanos > GIVEN_UP_AFTER;
    }

    /** Returns the holes below the head. */
    List<SeqRange> below(long head) {
        return between(0, head);
    }

    /** Returns where a scan may begin so that it passes every hole again, or {@link Long#MAX_VALUE}. */
    long lowest() {
        return holes.isEmpty() ? Long.MAX_VALUE : holes.firstKey();
    }

    private List<SeqRange> between(long seq, long head) {
        List<SeqRange> ranges = new ArrayList<>();
        holes.forEach((after, hole) -> {
            long from = Math.max(after, seq);
            long to = Math.min(hole.upTo, head);
            if (from < to) {
                ranges.add(new SeqRange(from, to));
            }
        });
        return ranges;
    }

    private void forget(SeqRange range) {
        Map.Entry<Long, Hole> first = holes.floorEntry(range.after());
        Long from = first == null || first.getValue().upTo <= range.after() ? range.after() : first.getKey();
        Map<Long, Hole> touched = new TreeMap<>(holes.subMap(from, true, Math.max(from, range.upTo()), false));
        touched.forEach((after, hole) -> {
            holes.remove(after);
            put(after, Math.min(hole.upTo, range.after()), hole.sinceNanos);
            put(Math.max(after, range.upTo()), hole.upTo, hole.sinceNanos);
        });
    }

    private void put(long after, long upTo, long nanos) {
        if (after < upTo) {
            holes.put(after, new Hole(upTo, nanos));
        }
    }

    // Makes one of every two. What lies between two holes was scanned before; to look there again finds nothing new.
    private void mergeNeighbours() {
        List<Map.Entry<Long, Hole>> all = new ArrayList<>(new TreeMap<>(holes).entrySet());
        holes.clear();
        for (int i = 0; i < all.size(); i += 2) {
            Hole first = all.get(i).getValue();
            Hole second = all.get(Math.min(i + 1, all.size() - 1)).getValue();
            long since = first.sinceNanos - second.sinceNanos > 0 ? first.sinceNanos : second.sinceNanos;
            put(all.get(i).getKey(), second.upTo, since);
        }
    }
}
