package dev.postrider.server.dev;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The database of {@code dev}: one of the user's, or H2 in a temporary folder that goes with the process. */
final class DevDatabase implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(DevDatabase.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String url;
    private final @Nullable String user;
    private final @Nullable String password;
    private final @Nullable Path folder;
    private final List<HikariDataSource> pools = new CopyOnWriteArrayList<>();

    private DevDatabase(String url, @Nullable String user, @Nullable String password, @Nullable Path folder) {
        this.url = url;
        this.user = user;
        this.password = password;
        this.folder = folder;
    }

    /** Makes an empty H2 database in a new folder. */
    static DevDatabase embedded() {
        try {
            Path folder = Files.createTempDirectory("postrider-dev-");
            String url =
                    "jdbc:h2:file:%s;DB_CLOSE_ON_EXIT=FALSE;CACHE_SIZE=32768".formatted(folder.resolve("postrider"));
            return new DevDatabase(url, "sa", "", folder);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not make a folder for the database", e);
        }
    }

    /** Uses a database of the user's. */
    static DevDatabase of(String url, @Nullable String user, @Nullable String password) {
        return new DevDatabase(url, user, password, null);
    }

    /** Returns whether the database goes with the process. */
    boolean temporary() {
        return folder != null;
    }

    /**
     * Opens a pool, which is closed with the database. Each part of the process has its own, so that none waits for
     * another's connections.
     */
    HikariDataSource pool(String name, int size) {
        HikariDataSource pool = new HikariDataSource(config(name, size));
        pools.add(pool);
        return pool;
    }

    /** Opens the pool of a relay, which can be cut off from the database; closed by its caller. */
    DevRelayPool relayPool(String name, int size) {
        return new DevRelayPool(config(name, size));
    }

    private HikariConfig config(String name, int size) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setJdbcUrl(url);
        if (user != null) {
            config.setUsername(user);
        }
        if (password != null) {
            config.setPassword(password);
        }
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(PATIENCE.toMillis());
        return config;
    }

    /** Closes the pools and deletes a temporary database. */
    @Override
    public void close() {
        pools.forEach(HikariDataSource::close);
        if (folder == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> all = files.sorted(Comparator.reverseOrder()).toList();
            for (Path each : all) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            log.warn("Could not delete {}", folder, e);
        }
    }
}
