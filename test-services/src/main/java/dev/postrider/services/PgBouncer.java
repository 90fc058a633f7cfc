package dev.postrider.services;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * PgBouncer in transaction mode in front of a PostgreSQL database: each transaction of a client may run on another
 * server connection. The program comes from the Debian package pgbouncer. Thread-safe.
 */
public final class PgBouncer implements AutoCloseable {

    private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);
    private static final String CONFIGURATION = """
            [databases]
            %1$s = host=127.0.0.1 port=%2$d user=%3$s

            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = %4$d
            unix_socket_dir =
            auth_type = any
            pool_mode = transaction
            default_pool_size = %5$d
            ignore_startup_parameters = extra_float_digits
            """;

    private final Database database;
    private final int port;
    private final Path folder;
    private final OwnedProcess process;
    private final Runnable atExit = this::close;

    private PgBouncer(Database database, int port, Path folder, OwnedProcess process) {
        this.database = database;
        this.port = port;
        this.folder = folder;
        this.process = process;
    }

    /** Says whether the program is here, so that a test can be skipped with the reason. */
    public static Availability available() {
        return Availability.of(
                Database.Kind.POSTGRES_18.name(),
                () -> Files.isExecutable(PROGRAM)
                        ? Optional.empty()
                        : Optional.of(PROGRAM + " is missing: apt-get install pgbouncer"));
    }

    /** Starts one that shares this number of server connections among all clients. */
    public static PgBouncer to(Database database, int serverConnections) {
        int port = Machine.freePort();
        Path folder = Folders.createTemporary();
        Path configuration = folder.resolve("pgbouncer.ini");
        try {
            Files.writeString(
                    configuration,
                    CONFIGURATION.formatted(
                            database.name(), database.port(), database.user(), port, serverConnections));
        } catch (IOException e) {
            throw new UncheckedIOException("Could not write " + configuration, e);
        }
        // It refuses to run as root; in a user namespace of its own it is nobody.
        List<String> command = new ArrayList<>(Machine.root() ? List.of("unshare", "-U") : List.of());
        command.addAll(List.of(PROGRAM.toString(), configuration.toString()));
        PgBouncer started = new PgBouncer(
                database, port, folder, OwnedProcess.start(new ProcessBuilder(command), folder, "pgbouncer.log"));
        AtExit.add(started.atExit);
        try {
            Poll.until(
                    started::answers,
                    START_TIMEOUT,
                    () -> "PgBouncer did not start:%n%s".formatted(started.process.outputTail()));
        } catch (IllegalStateException e) {
            started.close();
            throw e;
        }
        return started;
    }

    /** Returns connections through it: no pool, a new one each time. */
    public DataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + port + "/" + database.name());
        source.setUser(database.user());
        return source;
    }

    private boolean answers() {
        if (!process.alive()) {
            throw new IllegalStateException("PgBouncer ended while starting:%n%s".formatted(process.outputTail()));
        }
        try (Connection connection = dataSource().getConnection()) {
            return connection.isValid(Math.toIntExact(STOP_TIMEOUT.toSeconds()));
        } catch (SQLException e) {
            // Not yet.
            return false;
        }
    }

    @Override
    public void close() {
        AtExit.remove(atExit);
        process.end("TERM", STOP_TIMEOUT);
        Folders.delete(folder);
    }
}
