package dev.postrider.services;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** PostgreSQL from the binaries of the zonky project. */
record PostgresEngine(String artifact) implements Engine {

    @Override
    public void unpack(Path archive, Path home) throws IOException {
        Archives.unpackTarXzInside(archive, home);
    }

    @Override
    public Optional<String> obstacle(Path home) {
        if (Machine.root() && !Command.succeeds(List.of("unshare", "-U", "true"))) {
            return Optional.of("PostgreSQL refuses to run as root and 'unshare -U' is not permitted here: "
                    + "run the tests as another user");
        }
        return Optional.empty();
    }

    @Override
    public void initialize(Path home, Path data) {
        List<String> initdb = unprivileged(home.resolve("bin/initdb"));
        initdb.addAll(List.of("-D", data.toString(), "-A", "trust", "-U", user(), "-E", "UTF8", "--no-locale"));
        initdb.add("--no-sync");
        Command.run(initdb);
    }

    @Override
    public void tidy(Path data) {
        // A stale postmaster.pid is no obstacle once the old process is gone.
    }

    @Override
    public void standby(Path data) throws IOException {
        Files.createFile(data.resolve("standby.signal"));
    }

    @Override
    public List<String> command(Launch launch) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("port", Integer.toString(launch.port()));
        settings.put("listen_addresses", "127.0.0.1");
        settings.put("unix_socket_directories", "");
        // A killed server would leave POSIX segments behind, outside the data folder.
        settings.put("dynamic_shared_memory_type", "mmap");
        settings.put("max_connections", "200");
        settings.put("shared_buffers", launch.options().bufferMegabytes() + "MB");
        settings.put("timezone", launch.options().timeZone().getId());
        settings.put("log_timezone", launch.options().timeZone().getId());
        // synchronous_commit stays on in both cases: without it kill -9 would lose commits.
        settings.put("synchronous_commit", "on");
        settings.put("fsync", launch.options().durable() ? "on" : "off");
        settings.put("full_page_writes", launch.options().durable() ? "on" : "off");
        if (!launch.options().durable()) {
            settings.put("wal_init_zero", "off");
            settings.put("checkpoint_timeout", "30min");
            settings.put("jit", "off");
        }
        settings.putAll(launch.options().settings());
        List<String> command = unprivileged(launch.home().resolve("bin/postgres"));
        command.addAll(List.of("-D", launch.data().toString()));
        settings.forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
        return command;
    }

    @Override
    public String initialDatabase() {
        return "postgres";
    }

    @Override
    public String url(int port, String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    @Override
    public String user() {
        return "postgres";
    }

    @Override
    public DataSource dataSource(String url) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        source.setUser(user());
        return source;
    }

    @Override
    public String dataFolderQuery() {
        return "select current_setting('data_directory')";
    }

    @Override
    public List<String> dropStatements(String database) {
        return List.of("drop database if exists " + database + " with (force)");
    }

    @Override
    public String stopSignal() {
        return "INT";
    }

    @Override
    public String abortSignal() {
        return "QUIT";
    }

    // In a user namespace of its own the process is nobody, yet keeps access to root's files.
    private static List<String> unprivileged(Path program) {
        List<String> command = new ArrayList<>(Machine.root() ? List.of("unshare", "-U") : List.of());
        command.add(program.toString());
        return command;
    }
}
