package dev.postrider.console.doctor;

import dev.postrider.database.Dialect;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whether what PostgreSQL has committed survives a crash. */
final class PostgresDurabilityCheck implements DatabaseCheck {

    @Override
    public String name() {
        return "durability";
    }

    @Override
    public Set<Dialect> dialects() {
        return Set.of(Dialect.POSTGRESQL);
    }

    @Override
    public List<Finding> look(DoctorSession session) throws SQLException {
        return findings(ServerSettings.postgres(session));
    }

    static List<Finding> findings(Map<String, String> settings) {
        List<Finding> findings = new ArrayList<>();
        if (off(settings, "fsync")) {
            findings.add(Finding.bad(
                    "durability",
                    "fsync is off",
                    "A crash of the machine may lose committed messages and damage the database.",
                    "Set fsync = on."));
        }
        if (off(settings, "full_page_writes")) {
            findings.add(Finding.warn(
                    "durability",
                    "full_page_writes is off",
                    "A crash of the machine may damage pages, unless the file system writes them whole.",
                    "Set full_page_writes = on."));
        }
        if (off(settings, "synchronous_commit")) {
            findings.add(Finding.warn(
                    "durability",
                    "synchronous_commit is off",
                    "A crash loses what was committed in the last moments: messages with their business changes, or"
                            + " acks, whose messages are then delivered again.",
                    "Set synchronous_commit = on, at least for transactions that enqueue."));
        }
        if (findings.isEmpty()) {
            findings.add(Finding.ok(
                    "durability",
                    "fsync, full_page_writes and synchronous_commit are on",
                    "What is committed survives a crash."));
        }
        return findings;
    }

    private static boolean off(Map<String, String> settings, String name) {
        return settings.getOrDefault(name, "").equals("off");
    }
}
