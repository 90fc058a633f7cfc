package dev.postrider.console.browser;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.OutboxMessage;
import dev.postrider.all.Postrider;
import dev.postrider.relay.Relay;
import dev.postrider.server.PostriderServer;
import dev.postrider.spi.MessagePublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A server with users on a database in memory. Its messages go to an {@link CountingEndpoint}. */
final class TrialServer implements AutoCloseable {

    static final String PASSWORD = "rosebud-71";

    private static final String HASH = "{bcrypt}$2a$04$uvV5z/QsKVx0/Kf7if2/guH2kC.RRMaGa9sfN.HdDCvNoCJHndOsG";

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final int PART = 500;
    private static final String SOURCE = "postrider.server.sources.main.";

    private final CountingEndpoint endpoint = CountingEndpoint.start();
    private final HikariDataSource pool;
    private final String url;
    private @Nullable PostriderServer server;

    private TrialServer(String url) {
        this.url = url;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername("sa");
        config.setMaximumPoolSize(4);
        pool = new HikariDataSource(config);
        Postrider.on(pool).build().migrate();
    }

    /** Creates the database; the server does not run yet. */
    static TrialServer create() {
        return new TrialServer("jdbc:h2:mem:console%d;DB_CLOSE_DELAY=-1".formatted(NAMES.incrementAndGet()));
    }

    /** Enqueues messages and lets each fail for good with the error. */
    TrialServer dead(List<OutboxMessage> messages, String error) throws SQLException {
        Postrider failing = Postrider.on(pool)
                .publisher(MessagePublisher.each(message -> {
                    throw new IllegalStateException(error);
                }))
                .build();
        long before = failing.admin().stats().dead();
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            for (int from = 0; from < messages.size(); from += PART) {
                failing.outbox().enqueueAll(connection, messages.subList(from, Math.min(messages.size(), from + PART)));
            }
            connection.commit();
        }
        try (Relay relay = failing.relay().build().start()) {
            relay.wake();
            await().atMost(PATIENCE).until(() -> failing.admin().stats().dead() >= before + messages.size());
        }
        return this;
    }

    /** Starts the server with the users vera, a viewer, and otto, an operator. */
    TrialServer serve() {
        Map<String, String> settings = new LinkedHashMap<>(Map.of(
                "server.port",
                "0",
                "server.address",
                "127.0.0.1",
                SOURCE + "spring.datasource.url",
                url,
                SOURCE + "spring.datasource.username",
                "sa",
                SOURCE + "postrider.relay.poll-interval",
                "200ms",
                SOURCE + "postrider.topics.[*].url",
                endpoint.url(),
                "postrider.server.users.vera.password",
                HASH,
                "postrider.server.users.vera.role",
                "viewer"));
        settings.put("postrider.server.users.otto.password", HASH);
        settings.put("postrider.server.users.otto.role", "operator");
        server = PostriderServer.start(settings);
        return this;
    }

    String address() {
        return "http://127.0.0.1:%d/"
                .formatted(Objects.requireNonNull(server, "serve() comes first").port());
    }

    CountingEndpoint endpoint() {
        return endpoint;
    }

    Postrider postrider() {
        return Postrider.on(pool).build();
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
        pool.close();
        endpoint.close();
    }
}
