package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayHealth;
import dev.postrider.server.source.SourceContext;
import dev.postrider.server.source.SourceContexts;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** One server relays several databases of different kinds, each with its own settings. */
final class ServerSourcesTest {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Test
    void eachSourceDeliversItsOwnMessages() {
        try (Database orders = fresh(Kind.POSTGRES_18);
                Database billing = fresh(Kind.MARIADB);
                HttpSink ordersSink = HttpSink.start();
                HttpSink billingSink = HttpSink.start()) {
            Map<String, String> settings = new LinkedHashMap<>(Map.of("server.port", "0"));
            settings.putAll(ServerSettings.source("orders", orders, ordersSink));
            settings.putAll(ServerSettings.source("billing", billing, billingSink));
            settings.putAll(ServerSettings.embedded("trial", billingSink));

            try (PostriderServer server = PostriderServer.start(settings)) {
                Rows.enqueue(source(server, "orders"), "orders", "of orders");
                Rows.enqueue(source(server, "billing"), "bills", "of billing");
                Rows.enqueue(source(server, "trial"), "bills", "of trial");

                await().atMost(PATIENCE).until(() -> ordersSink.payloads().contains("of orders"));
                await().atMost(PATIENCE)
                        .until(() -> billingSink.payloads().contains("of billing")
                                && billingSink.payloads().contains("of trial"));
                assertThat(ordersSink.payloads()).containsExactly("of orders");
                HttpCalls http = new HttpCalls(server.port());
                assertThat(http.get("/actuator/prometheus").body())
                        .contains("source=\"orders\"")
                        .contains("source=\"billing\"")
                        .contains("source=\"trial\"");
                assertThat(http.get("/actuator/health/readiness").body())
                        .contains("\"orders\"", "\"billing\"", "\"trial\"");
            }
        }
    }

    @Test
    void aStopClosesRelaysAndAnswersNoMore() {
        try (HttpSink sink = HttpSink.start()) {
            Map<String, String> settings = new LinkedHashMap<>(Map.of("server.port", "0"));
            settings.putAll(ServerSettings.embedded("trial", sink));
            PostriderServer server = PostriderServer.start(settings);
            SourceContexts sources = server.sources();
            Relay relay = source(server, "trial").relay().orElseThrow();

            server.close();

            assertThat(relay.health().state()).isEqualTo(RelayHealth.State.CLOSED);
            assertThat(sources.all()).isEmpty();
        }
    }

    @Test
    void aDatabaseThatGoesAwayLeavesTheServerAliveAndNotReady() {
        assume(Database.available(Kind.POSTGRES_18));
        try (Database database = Database.start(Kind.POSTGRES_18);
                HttpSink sink = HttpSink.start()) {
            Map<String, String> settings = new LinkedHashMap<>(Map.of("server.port", "0"));
            settings.putAll(ServerSettings.source("orders", database, sink));
            try (PostriderServer server = PostriderServer.start(settings)) {
                HttpCalls http = new HttpCalls(server.port());

                database.kill();

                await().atMost(PATIENCE)
                        .until(() -> http.get("/actuator/health/readiness").statusCode() == 503);
                assertThat(http.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
                database.restart();
                await().atMost(PATIENCE)
                        .until(() -> http.get("/actuator/health/readiness").statusCode() == 200);
                Rows.enqueue(source(server, "orders"), "orders", "after the outage");
                await().atMost(PATIENCE).until(() -> sink.payloads().contains("after the outage"));
            }
        }
    }

    private static SourceContext source(PostriderServer server, String name) {
        return server.sources().find(name).orElseThrow();
    }

    private static Database fresh(Kind kind) {
        assume(Database.available(kind));
        return Database.shared(kind).freshDatabase();
    }

    private static void assume(Availability availability) {
        Assumptions.assumeTrue(availability.available(), availability::reason);
    }
}
