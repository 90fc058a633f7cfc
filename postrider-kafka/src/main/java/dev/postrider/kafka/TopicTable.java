package dev.postrider.kafka;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The topics that were used lately, at most {@link #MOST}: a template such as {@code {key}} makes as many names as
 * there are keys. Only idle topics are forgotten, because a topic with waiting messages keeps their order. Thread-safe.
 */
final class TopicTable {

    static final int MOST = 2_000;

    // Several at once, so that not every new name at the limit costs a pass over all.
    private static final int FORGOTTEN_AT_ONCE = MOST / 4;

    private final Map<String, TopicEntry> entries = new ConcurrentHashMap<>();

    /** Returns the entry of a topic; null if it has none and all places are taken by topics that messages wait for. */
    @Nullable TopicEntry entry(String name) {
        TopicEntry known = entries.get(name);
        return known == null ? make(name) : known;
    }

    private synchronized @Nullable TopicEntry make(String name) {
        if (entries.size() >= MOST) {
            forgetIdle();
        }
        return entries.size() < MOST ? entries.computeIfAbsent(name, TopicEntry::new) : entries.get(name);
    }

    private void forgetIdle() {
        // Sorted by a copy of the time, which other threads go on changing.
        List<Map.Entry<Long, TopicEntry>> byUse = new ArrayList<>(entries.size());
        for (TopicEntry entry : entries.values()) {
            synchronized (entry) {
                byUse.add(Map.entry(entry.used, entry));
            }
        }
        byUse.sort(Map.Entry.comparingByKey(Comparator.naturalOrder()));
        int forgotten = 0;
        for (Map.Entry<Long, TopicEntry> each : byUse) {
            if (forgotten == FORGOTTEN_AT_ONCE) {
                return;
            }
            if (forget(each.getValue())) {
                forgotten++;
            }
        }
    }

    private boolean forget(TopicEntry entry) {
        synchronized (entry) {
            if (!entry.isIdle()) {
                return false;
            }
            entry.forgotten = true;
            entries.remove(entry.name);
            return true;
        }
    }

    int size() {
        return entries.size();
    }
}
