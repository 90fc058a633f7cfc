package dev.postrider.benchmarks.contest.arena;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.stream.Stream;

/**
 * A database server as Linux sees it.
 *
 * @param pid the process, whose children count as well: PostgreSQL has one per connection
 */
public record ServerProcess(long pid) {

    private static final double TICKS_PER_SECOND = 100;
    // Places behind the name of the program in /proc/PID/stat.
    private static final int PARENT = 1;
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int ENDED_CHILDREN_USER = 13;
    private static final int ENDED_CHILDREN_SYSTEM = 14;

    /** Finds the server of an arena, which runs on this machine. */
    public static ServerProcess of(Arena arena) throws SQLException {
        return new ServerProcess(
                arena.postgres()
                        ? Long.parseLong(
                                arena.query("select (string_to_array(pg_read_file('postmaster.pid'), chr(10)))[1]")
                                        .trim())
                        : pidFromFile(arena.query("select @@pid_file")));
    }

    private static long pidFromFile(String file) {
        try {
            return Long.parseLong(Files.readString(Path.of(file)).trim());
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read " + file, e);
        }
    }

    public double cpuSeconds() {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                            .filter(process -> process.getFileName().toString().matches("[0-9]+"))
                            .mapToLong(this::ticks)
                            .sum()
                    / TICKS_PER_SECOND;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read /proc", e);
        }
    }

    private long ticks(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long own = Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM]);
            if (process.getFileName().toString().equals(Long.toString(pid))) {
                return own
                        + Long.parseLong(fields[ENDED_CHILDREN_USER])
                        + Long.parseLong(fields[ENDED_CHILDREN_SYSTEM]);
            }
            return fields[PARENT].equals(Long.toString(pid)) ? own : 0;
        } catch (IOException e) {
            // The process has ended while it was looked at.
            return 0;
        }
    }
}
