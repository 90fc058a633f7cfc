package dev.postrider.testkit;

import dev.postrider.spi.DuePosition;
import dev.postrider.spi.SeqRange;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The committed rows and the ways to find them. Iterates in the same order in every run. */
final class Rows {

    private static final Comparator<DuePosition> BY_DUE =
            Comparator.comparing(DuePosition::at).thenComparing(DuePosition::seq);

    private final NavigableMap<Long, Row> bySeq = new TreeMap<>();
    private final Map<UUID, Row> byId = new HashMap<>();
    private final Map<Row.KeyName, NavigableMap<Long, Row>> holders = new LinkedHashMap<>();
    private final NavigableMap<DuePosition, Row> waiting = new TreeMap<>(BY_DUE);

    void add(Row row) {
        bySeq.put(row.seq, row);
        byId.put(row.message.id(), row);
        index(row);
    }

    void remove(Row row) {
        unindex(row);
        bySeq.remove(row.seq);
        byId.remove(row.message.id());
    }

    /** Changes a row and keeps it findable. */
    void change(Row row, Instant now, Runnable change) {
        unindex(row);
        change.run();
        row.updated = now;
        index(row);
    }

    /** Makes the first row of the key due if it waits behind a row that is gone; returns whether it did. */
    boolean promoteFirst(Row.KeyName key, Instant now) {
        NavigableMap<Long, Row> line = holders.get(key);
        Row first = line == null ? null : line.firstEntry().getValue();
        if (first == null || !first.isBehind()) {
            return false;
        }
        change(first, now, () -> first.due = now);
        return true;
    }

    /** Makes the next rows of the key due that wait behind another, at most so many. */
    void promote(Row.KeyName key, int limit, Instant now) {
        NavigableMap<Long, Row> line = holders.get(key);
        if (line != null) {
            List<Row> next =
                    line.values().stream().filter(Row::isBehind).limit(limit).toList();
            next.forEach(row -> change(row, now, () -> row.due = now));
        }
    }

    /** Returns the nearest earlier row that holds the key of this one; null if none does. */
    @Nullable Long holderBefore(Row row) {
        NavigableMap<Long, Row> line = row.key == null ? null : holders.get(row.key);
        return line == null ? null : line.lowerKey(row.seq);
    }

    @Nullable Row withSeq(long seq) {
        return bySeq.get(seq);
    }

    @Nullable Row withId(UUID id) {
        return byId.get(id);
    }

    Collection<Row> all() {
        return bySeq.values();
    }

    Collection<Row> in(SeqRange range) {
        return bySeq.subMap(range.after(), false, range.upTo(), true).values();
    }

    Collection<Row> above(long seq) {
        return bySeq.tailMap(seq, false).values();
    }

    /** The rows whose time has come, the longest due first, from this position on; null is the beginning. */
    NavigableMap<DuePosition, Row> dueAfter(@Nullable DuePosition after, Instant now) {
        DuePosition last = new DuePosition(now, Long.MAX_VALUE);
        NavigableMap<DuePosition, Row> due = waiting.headMap(last, true);
        if (after == null) {
            return due;
        }
        return BY_DUE.compare(after, last) >= 0 ? Collections.emptyNavigableMap() : due.tailMap(after, false);
    }

    /** The rows above {@code seq} that wait behind another, in enqueue order; a copy. */
    List<Row> behind(long seq) {
        return List.copyOf(
                waiting.tailMap(new DuePosition(Row.INFINITY, seq), false).values());
    }

    /** For every key that is held, the rows that hold it, first one first; a copy. */
    List<List<Row>> heldKeys() {
        return holders.values().stream().map(line -> List.copyOf(line.values())).toList();
    }

    private void index(Row row) {
        if (row.holdsKey && row.key != null) {
            holders.computeIfAbsent(row.key, ignored -> new TreeMap<>()).put(row.seq, row);
        }
        if (row.due != null) {
            waiting.put(new DuePosition(row.due, row.seq), row);
        }
    }

    private void unindex(Row row) {
        if (row.holdsKey && row.key != null) {
            holders.computeIfPresent(row.key, (ignored, line) -> {
                line.remove(row.seq);
                return line.isEmpty() ? null : line;
            });
        }
        if (row.due != null) {
            waiting.remove(new DuePosition(row.due, row.seq));
        }
    }
}
