package dev.postrider.testkit;

import dev.postrider.MessageStatus;
import dev.postrider.spi.SeqRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The committed rows and the ways to find them. Iterates in the same order in every run. */
final class Rows {

    private static final Comparator<Row> BY_DUE = Comparator.<Row, Instant>comparing(
                    row -> Objects.requireNonNull(row.due))
            .thenComparing(row -> row.seq);

    private final NavigableMap<Long, Row> bySeq = new TreeMap<>();
    private final Map<UUID, Row> byId = new HashMap<>();
    private final Map<KeyName, NavigableMap<Long, Row>> holders = new LinkedHashMap<>();
    private final TreeSet<Row> waiting = new TreeSet<>(BY_DUE);

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

    /** Lets the row wait until the earlier holder of its key is gone. */
    void putBehind(Row row, Instant now) {
        change(row, now, () -> {
            if (row.status == MessageStatus.CLAIMED) {
                row.attempts--;
                row.lostClaims++;
                row.status = MessageStatus.PENDING;
            }
            row.due = Row.INFINITY;
            row.holdsKey = true;
        });
    }

    /** Lets the first row of the key go on if it waits behind a row that is gone; tells whether it did. */
    boolean promote(KeyName key, Instant now) {
        NavigableMap<Long, Row> line = holders.get(key);
        if (line == null) {
            return false;
        }
        Row first = line.firstEntry().getValue();
        if (first.status != MessageStatus.PENDING || !first.isBehind()) {
            return false;
        }
        change(first, now, () -> first.due = now);
        return true;
    }

    boolean isHeldByEarlier(Row row) {
        NavigableMap<Long, Row> line = row.key == null ? null : holders.get(row.key);
        return line != null && line.firstKey() < row.seq;
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

    /** The rows whose time has come, the longest due first; a copy, so that the caller may change them. */
    List<Row> due(Instant now) {
        List<Row> due = new ArrayList<>();
        for (Row row : waiting) {
            if (Objects.requireNonNull(row.due).isAfter(now)) {
                break;
            }
            due.add(row);
        }
        return due;
    }

    /** The rows above {@code seq} that wait behind another, in enqueue order; a copy. */
    List<Row> behind(long seq) {
        return waiting.descendingSet().stream()
                .takeWhile(Row::isBehind)
                .filter(row -> row.seq > seq)
                .sorted(Comparator.comparingLong(row -> row.seq))
                .toList();
    }

    /** For every key that is held, the rows that hold it, first one first; a copy. */
    List<List<Row>> heldKeys() {
        return holders.values().stream().map(line -> List.copyOf(line.values())).toList();
    }

    List<Long> seqsAbove(long seq, int limit) {
        return bySeq.tailMap(seq, false).keySet().stream().limit(limit).toList();
    }

    long highestSeq() {
        return bySeq.isEmpty() ? 0 : bySeq.lastKey();
    }

    private void index(Row row) {
        if (row.holdsKey && row.key != null) {
            holders.computeIfAbsent(row.key, ignored -> new TreeMap<>()).put(row.seq, row);
        }
        if (row.due != null) {
            waiting.add(row);
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
            waiting.remove(row);
        }
    }
}
