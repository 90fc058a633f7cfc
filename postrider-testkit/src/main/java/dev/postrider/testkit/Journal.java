package dev.postrider.testkit;

import dev.postrider.MessageStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which rows each relay has in flight, batch by batch. It fences nothing. Guarded by the store's lock. */
final class Journal {

    /**
     * What one fetch has returned.
     *
     * @param attempts the sequences of the rows, each with the attempts its row had
     */
    record Entry(String relay, Instant at, Map<Long, Integer> attempts) {

        /** A row whose attempts have moved on was settled meanwhile. */
        boolean lists(Row row) {
            Integer then = attempts.get(row.seq);
            return then != null && row.status == MessageStatus.PENDING && then == row.attempts;
        }
    }

    private final Map<Long, Entry> entries = new LinkedHashMap<>();

    void add(String relay, long token, List<Row> fetched, Instant now) {
        if (!fetched.isEmpty()) {
            Entry entry = entries.computeIfAbsent(token, ignored -> new Entry(relay, now, new HashMap<>()));
            fetched.forEach(row -> entry.attempts.put(row.seq, row.attempts));
        }
    }

    void end(String relay, Set<Long> tokens) {
        entries.entrySet()
                .removeIf(each -> tokens.contains(each.getKey())
                        && each.getValue().relay().equals(relay));
    }

    void removeIf(Predicate<String> relay) {
        entries.values().removeIf(entry -> relay.test(entry.relay()));
    }

    /** Returns the last entry of one of these relays that has the row in flight; null if none has. */
    @Nullable Entry of(Row row, Predicate<String> relay) {
        Entry last = null;
        for (Entry entry : entries.values()) {
            if (entry.lists(row) && relay.test(entry.relay())) {
                last = entry;
            }
        }
        return last;
    }

    /** Returns the entries of this relay, oldest first; a copy. */
    List<Entry> of(String relay) {
        List<Entry> found = new ArrayList<>(entries.values());
        found.removeIf(entry -> !entry.relay().equals(relay));
        return found;
    }
}
