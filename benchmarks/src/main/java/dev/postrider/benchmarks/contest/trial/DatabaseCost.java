package dev.postrider.benchmarks.contest.trial;

import com.sun.management.OperatingSystemMXBean;
import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.ServerProcess;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;

/** What a drain costs the database and the processes of the relays, per message. */
final class DatabaseCost {

    /** The processor time of whoever relays, in seconds. */
    @FunctionalInterface
    interface Processes {
        double seconds() throws IOException;
    }

    private final Arena arena;
    private final Processes processes;
    private double log;
    private double serverSeconds;
    private double processSeconds;
    private double questions;

    /** For a contender that relays in this process. */
    DatabaseCost(Arena arena) throws SQLException {
        this(arena, DatabaseCost::processSeconds);
    }

    DatabaseCost(Arena arena, Processes processes) throws SQLException {
        this.arena = arena;
        this.processes = processes;
        if (arena.postgres()) {
            arena.execute("create extension if not exists pg_stat_statements");
        }
    }

    /** Lets what follows begin with a clean log: the first change of a page after this costs a whole page. */
    void checkpoint() throws SQLException {
        if (arena.postgres()) {
            arena.execute("checkpoint");
        }
    }

    /** Gives the planner fresh figures, as an outbox in production has them. */
    void settleDown() throws SQLException {
        if (arena.postgres()) {
            arena.execute("vacuum analyze");
        }
    }

    /** Bytes written to the log of the server so far. */
    double logBytes() throws SQLException {
        return arena.postgres()
                ? Double.parseDouble(arena.query("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"))
                : status("Innodb_os_log_written");
    }

    void begin() throws SQLException, IOException {
        if (arena.postgres()) {
            arena.execute("select pg_stat_statements_reset()");
        } else {
            questions = status("Questions");
        }
        log = logBytes();
        serverSeconds = serverSeconds();
        processSeconds = processes.seconds();
    }

    void end(Figures figures, int messages) throws SQLException, IOException {
        figures.put("server_cpu_us", (serverSeconds() - serverSeconds) / messages * 1e6);
        figures.put("process_cpu_us", (processes.seconds() - processSeconds) / messages * 1e6);
        figures.put("wal_bytes", (logBytes() - log) / messages);
        figures.put("statements", statements() / messages);
    }

    // Of the database's own functions and of the measuring connection nothing is counted that would matter: a handful.
    private double statements() throws SQLException {
        return arena.postgres()
                ? Double.parseDouble(arena.query("select coalesce(sum(calls), 0) from pg_stat_statements"
                        + " where dbid = (select oid from pg_database where datname = current_database())"))
                : status("Questions") - questions;
    }

    private double status(String name) throws SQLException {
        return Double.parseDouble(arena.query(
                "select variable_value from information_schema.global_status where variable_name = '" + name + "'"));
    }

    private double serverSeconds() throws SQLException {
        return ServerProcess.of(arena).cpuSeconds();
    }

    static double processSeconds() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1e9;
    }
}
