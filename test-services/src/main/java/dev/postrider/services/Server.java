package dev.postrider.services;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** A database server in a process of its own. */
final class Server implements Host {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(90);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration END_NOTICED = Duration.ofSeconds(1);

    private final Engine engine;
    private final Engine.Launch launch;
    private final Path folder;
    private final Runnable atExit = this::close;
    private OwnedProcess process;

    private Server(Engine engine, Engine.Launch launch, Path folder, OwnedProcess process) {
        this.engine = engine;
        this.launch = launch;
        this.folder = folder;
        this.process = process;
    }

    static Optional<String> obstacle(Engine engine) {
        return Machine.obstacle().or(() -> {
            Path archive = Artifacts.path(engine.artifact());
            return Files.exists(archive)
                    ? engine.obstacle(home(engine))
                    : Optional.of(archive + " is missing: build the module test-services with Maven");
        });
    }

    static Server start(Engine engine, ServerOptions options) {
        obstacle(engine).ifPresent(reason -> {
            throw new IllegalStateException(reason);
        });
        Path home = home(engine);
        Path template = Cache.entry(home.getFileName() + "-data", data -> engine.initialize(home, data));
        Path folder = options.durable() ? Folders.createTemporary() : Folders.createInMemory();
        Path data = folder.resolve("data");
        try {
            Folders.copy(template, data);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not copy " + template, e);
        }
        Engine.Launch launch = new Engine.Launch(home, data, Machine.freePort(), options);
        Server server = new Server(engine, launch, folder, run(engine, launch, folder));
        AtExit.add(server.atExit);
        try {
            server.awaitReady();
        } catch (IllegalStateException e) {
            server.close();
            throw e;
        }
        return server;
    }

    private static Path home(Engine engine) {
        Path archive = Artifacts.path(engine.artifact());
        String key = archive.getFileName().toString().replaceFirst("\\.(jar|zip)$", "");
        return Cache.entry(key, home -> engine.unpack(archive, home));
    }

    private static OwnedProcess run(Engine engine, Engine.Launch launch, Path folder) {
        try {
            engine.tidy(launch.data());
        } catch (IOException e) {
            throw new UncheckedIOException("Could not tidy " + launch.data(), e);
        }
        ProcessBuilder builder = new ProcessBuilder(engine.command(launch));
        builder.environment().put("TZ", launch.options().timeZone().getId());
        return OwnedProcess.start(builder, folder, "server.log");
    }

    private void awaitReady() {
        Poll.until(
                () -> {
                    if (!process.alive()) {
                        throw new IllegalStateException(
                                "%s ended while starting:%n%s".formatted(engine.artifact(), log()));
                    }
                    return answers();
                },
                START_TIMEOUT,
                () -> "%s did not start within %s:%n%s".formatted(engine.artifact(), START_TIMEOUT, log()));
    }

    private boolean answers() {
        try {
            String served = Sql.queryText(dataSource(initialDatabase()), engine.dataFolderQuery());
            return Path.of(served).equals(launch.data());
        } catch (SQLException e) {
            // Not yet.
            return false;
        }
    }

    @Override
    public String initialDatabase() {
        return engine.initialDatabase();
    }

    @Override
    public void create(String database) {
        administer("create database " + database);
    }

    @Override
    public synchronized void drop(String database) {
        if (process.alive()) {
            administer(engine.dropStatements(database).toArray(String[]::new));
        }
    }

    private void administer(String... statements) {
        try {
            Sql.execute(dataSource(initialDatabase()), statements);
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    "%s: %s; its log ends with:%n%s".formatted(condition(), e.getMessage(), log()), e.getCause());
        }
    }

    // A server that crashes refuses connections a moment before it has ended.
    private synchronized String condition() {
        OptionalInt status = process.awaitExit(END_NOTICED);
        return status.isPresent()
                ? "%s has ended with status %d".formatted(engine.artifact(), status.getAsInt())
                : "%s runs as process %d".formatted(engine.artifact(), pid());
    }

    @Override
    public String url(String database) {
        return engine.url(launch.port(), database);
    }

    @Override
    public String user() {
        return engine.user();
    }

    @Override
    public String password() {
        return "";
    }

    @Override
    public DataSource dataSource(String database) {
        return engine.dataSource(url(database));
    }

    @Override
    public int port() {
        return launch.port();
    }

    @Override
    public synchronized long pid() {
        return process.pid();
    }

    @Override
    public synchronized String log() {
        return process.outputTail();
    }

    @Override
    public synchronized void kill() {
        process.kill();
    }

    @Override
    public synchronized void restart() {
        process.end(engine.stopSignal(), STOP_TIMEOUT);
        process = run(engine, launch, folder);
        awaitReady();
    }

    @Override
    public synchronized void restartAsStandby() {
        process.end(engine.stopSignal(), STOP_TIMEOUT);
        try {
            engine.standby(launch.data());
        } catch (IOException e) {
            throw new UncheckedIOException("Could not make a standby of " + launch.data(), e);
        }
        process = run(engine, launch, folder);
        awaitReady();
    }

    @Override
    public synchronized void close() {
        AtExit.remove(atExit);
        process.end(engine.abortSignal(), STOP_TIMEOUT);
        Folders.delete(folder);
    }
}
