package dev.postrider.safety;

import dev.postrider.KeyRing;
import dev.postrider.spi.ErrorText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Saves dead messages in backup files, each message once. For one thread. */
final class FileLevel implements Level {

    private static final Logger log = LoggerFactory.getLogger(FileLevel.class);
    private static final int MOST_REMEMBERED = 100_000;

    private final Function<String, BackupLog> logOf;
    private final @Nullable KeyRing keys;
    private final Tally tally;
    private final Map<String, BackupLog> logs = new HashMap<>();
    private final Map<UUID, Boolean> saved = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, Boolean> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    FileLevel(Function<String, BackupLog> logOf, @Nullable KeyRing keys, Tally tally) {
        this.logOf = logOf;
        this.keys = keys;
        this.tally = tally;
    }

    @Override
    public List<DeadMessage> save(List<DeadMessage> dead) {
        Map<String, List<DeadMessage>> byRelay = new LinkedHashMap<>();
        for (DeadMessage each : dead) {
            if (!saved.containsKey(each.message().id())) {
                byRelay.computeIfAbsent(each.relay(), relay -> new ArrayList<>())
                        .add(each);
            }
        }
        List<DeadMessage> failed = new ArrayList<>();
        byRelay.values().forEach(group -> failed.addAll(saveGroup(group)));
        return failed;
    }

    // Together they cost one wait for the disk; but one that does not fit must not take the others with it.
    private List<DeadMessage> saveGroup(List<DeadMessage> group) {
        if (group.size() > 1 && append(group) == null) {
            return List.of();
        }
        List<DeadMessage> failed = new ArrayList<>();
        for (DeadMessage dead : group) {
            String error = append(List.of(dead));
            if (error != null) {
                tally.failed.incrementAndGet();
                log.error("Dead message {} could not be saved in a backup file: {}", DeadMessageText.of(dead), error);
                failed.add(dead);
            }
        }
        return failed;
    }

    private @Nullable String append(List<DeadMessage> group) {
        try {
            backup(group.get(0).relay())
                    .append(group.stream()
                            .map(dead -> BackupFormat.record(dead, keys))
                            .toList());
        } catch (IOException | UncheckedIOException | ArithmeticException e) {
            return ErrorText.of(e);
        }
        for (DeadMessage dead : group) {
            saved.put(dead.message().id(), true);
            tally.file.incrementAndGet();
            log.error("Dead message {} is saved in a backup file, the database refused it", DeadMessageText.of(dead));
        }
        return null;
    }

    private BackupLog backup(String relay) {
        return logs.computeIfAbsent(relay, logOf);
    }

    @Override
    public void close() {
        logs.values().forEach(BackupLog::close);
    }
}
