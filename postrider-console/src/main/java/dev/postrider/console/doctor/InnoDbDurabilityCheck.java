package dev.postrider.console.doctor;

import dev.postrider.database.Dialect;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whether what MariaDB or MySQL has committed survives a crash. */
final class InnoDbDurabilityCheck implements DatabaseCheck {

    @Override
    public String name() {
        return "durability";
    }

    @Override
    public Set<Dialect> dialects() {
        return Set.of(Dialect.MARIADB, Dialect.MYSQL);
    }

    @Override
    public List<Finding> look(DoctorSession session) throws SQLException {
        return findings(ServerSettings.innoDb(session));
    }

    static List<Finding> findings(Map<String, String> settings) {
        List<Finding> findings = new ArrayList<>();
        String flush = settings.getOrDefault("innodb_flush_log_at_trx_commit", "1");
        if (!flush.equals("1") && !flush.equals("3")) {
            findings.add(Finding.warn(
                    "durability",
                    "innodb_flush_log_at_trx_commit is " + flush,
                    "A crash loses about a second of commits: messages with their business changes, or acks, whose"
                            + " messages are then delivered again.",
                    "Set innodb_flush_log_at_trx_commit = 1."));
        }
        boolean logs = settings.getOrDefault("log_bin", "OFF").equalsIgnoreCase("ON");
        if (logs && !settings.getOrDefault("sync_binlog", "1").equals("1")) {
            findings.add(Finding.warn(
                    "durability",
                    "sync_binlog is " + settings.get("sync_binlog"),
                    "After a crash replicas may have, or lack, messages that this server lacks, or has.",
                    "Set sync_binlog = 1."));
        }
        if (logs && settings.getOrDefault("binlog_format", "").equalsIgnoreCase("STATEMENT")) {
            findings.add(Finding.bad(
                    "durability",
                    "binlog_format is STATEMENT",
                    "The server refuses changes at READ COMMITTED, so nothing is delivered.",
                    "Set binlog_format to ROW or MIXED."));
        }
        if (settings.getOrDefault("innodb_doublewrite", "ON").equalsIgnoreCase("OFF")) {
            findings.add(Finding.warn(
                    "durability",
                    "innodb_doublewrite is off",
                    "A crash of the machine may damage pages, unless the file system writes them whole.",
                    "Set innodb_doublewrite = ON."));
        }
        if (findings.isEmpty()) {
            findings.add(Finding.ok(
                    "durability", "The log is flushed at each commit", "What is committed survives a crash."));
        }
        return findings;
    }
}
