package dev.postrider.server;

import dev.postrider.services.Database;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Settings of servers in tests. */
final class ServerSettings {

    private static final AtomicInteger NAMES = new AtomicInteger();

    private ServerSettings() {}

    /** A source on a real database, whose messages go to an endpoint. */
    static Map<String, String> source(String name, Database database, HttpSink sink) {
        return named(
                name,
                Map.of(
                        "spring.datasource.url", database.jdbcUrl(),
                        "spring.datasource.username", database.user(),
                        "spring.datasource.password", database.password(),
                        "postrider.schema.mode", "create-or-migrate",
                        "postrider.relay.poll-interval", "200ms",
                        "postrider.topics.[*].url", sink.url()));
    }

    /** A source in the memory of the test. */
    static Map<String, String> embedded(String name, HttpSink sink) {
        return named(
                name,
                Map.of(
                        "spring.datasource.url",
                        embeddedUrl(),
                        "spring.datasource.username",
                        "sa",
                        "postrider.relay.poll-interval",
                        "200ms",
                        "postrider.topics.[*].url",
                        sink.url()));
    }

    static String embeddedUrl() {
        return "jdbc:h2:mem:server%d;DB_CLOSE_DELAY=-1".formatted(NAMES.incrementAndGet());
    }

    private static Map<String, String> named(String name, Map<String, String> settings) {
        Map<String, String> named = new LinkedHashMap<>();
        settings.forEach((key, value) -> named.put("postrider.server.sources." + name + "." + key, value));
        return named;
    }
}
