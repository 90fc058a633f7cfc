package dev.postrider.console.live;

import static dev.postrider.console.ConsoleUnderTest.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.console.ConsoleRole;
import dev.postrider.console.ConsoleUnderTest;
import dev.postrider.relay.Relay;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.MessagePublisher;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

final class LiveRoutesTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void overviewTellsWhatWaitsAndThatNoRelayIsAlive(Kind kind) throws SQLException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(kind)) {
            console.enqueue("orders", "1");
            console.kill("timed out");
            console.enqueue("orders", "2");

            JsonNode overview = console.read("/overview");

            assertThat(overview.get("verdict").get("code").asString()).isEqualTo("no-relay");
            JsonNode cards = overview.get("cards");
            assertThat(cards.get("pending").toString()).isEqualTo("{\"value\":1,\"atLeast\":false}");
            assertThat(cards.get("dead").get("value").intValue()).isEqualTo(1);
            assertThat(cards.get("relays").intValue()).isZero();
            assertThat(cards.has("inPerSecond")).isFalse();
            assertThat(overview.get("failures").get(0).get("topic").asString()).isEqualTo("orders");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void relayOfThisProcessGivesRatesDelaysAndTopics(Kind kind) throws SQLException {
        RelayFigures figures = new RelayFigures();
        AtomicReference<List<Relay>> relays = new AtomicReference<>(List.of());
        try (ConsoleUnderTest console =
                ConsoleUnderTest.on(kind, source -> source.figures(figures).relays(relays::get))) {
            MessagePublisher publisher = MessagePublisher.each(message -> {});
            try (Relay relay = Relay.builder(console.postrider().store(), publisher)
                    .listener(figures)
                    .build()
                    .start()) {
                relays.set(List.of(relay));
                console.api().start();
                await().atMost(PATIENCE).until(() -> {
                    console.enqueue("orders", "1");
                    JsonNode cards = console.read("/overview").path("cards");
                    return cards.path("outPerSecond").asDouble(0) > 0
                            && cards.path("inPerSecond").asDouble(0) > 0
                            && cards.path("relays").asInt(0) == 1;
                });

                JsonNode statistics = console.read("/statistics");
                JsonNode topics = console.read("/topics").get("items");
                JsonNode relayItem = console.read("/relays").get("items").get(0);

                assertThat(statistics.get("series").get("in").size()).isEqualTo(180);
                assertThat(numbers(statistics.get("series").get("out"))).isPositive();
                assertThat(numbers(statistics.get("series").get("delayP95Millis")))
                        .isPositive();
                assertThat(statistics.get("topics").get(0).get("out").longValue())
                        .isPositive();
                assertThat(topics.get(0).get("topic").asString()).isEqualTo("orders");
                assertThat(topics.get(0).get("gate").asString()).isEqualTo("open");
                assertThat(relayItem.get("id").asString()).isEqualTo(relay.name());
                assertThat(relayItem.get("here").booleanValue()).isTrue();
                assertThat(console.read("/relays").get("shards").size()).isEqualTo(64);
                assertThat(console.read("/overview").get("verdict").get("state").asString())
                        .isEqualTo("ok");
            }
        }
    }

    @Test
    void pauseOfAllRelaysIsTheVerdict() {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2);
                Relay relay = Relay.builder(console.postrider().store(), MessagePublisher.each(message -> {}))
                        .build()
                        .start()) {
            await().atMost(PATIENCE)
                    .until(() -> console.read("/relays").get("items").size() == 1
                            && console.read("/relays").get("items").get(0).has("state"));

            JsonNode changed = json(console.post("/relays/pause", "{\"reason\":\"release\"}"));
            JsonNode again = json(console.post("/relays/" + relay.name() + "/pause", "{\"reason\":\"release\"}"));
            int unknown = console.post("/relays/nobody/pause", "{\"reason\":\"release\"}")
                    .status();

            assertThat(changed.get("changed").intValue()).isEqualTo(1);
            assertThat(again.get("changed").intValue()).isZero();
            assertThat(unknown).isEqualTo(404);
            await().atMost(PATIENCE)
                    .until(() -> console.read("/overview")
                            .get("verdict")
                            .get("code")
                            .asString()
                            .equals("paused"));
            assertThat(console.read("/overview").get("verdict").get("sentence").asString())
                    .startsWith("Paused by ada since ");
            assertThat(console.read("/relays").get("items").get(0).get("wanted").asString())
                    .isEqualTo("PAUSE");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void pausedTopicIsListedWithThePerson(Kind kind) {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(kind)) {
            String body = "{\"namespace\":\"default\",\"topic\":\"orders\",\"reason\":\"broker moves\"}";

            JsonNode first = json(console.post("/topics/pause", body));
            JsonNode second = json(console.post("/topics/pause", body));
            JsonNode topic = console.read("/topics").get("items").get(0);
            JsonNode resumed = json(console.post("/topics/resume", body));

            assertThat(first.get("changed").booleanValue()).isTrue();
            assertThat(second.get("changed").booleanValue()).isFalse();
            assertThat(topic.get("paused").booleanValue()).isTrue();
            assertThat(topic.get("pausedBy").asString()).isEqualTo("ada");
            assertThat(topic.get("pausedReason").asString()).isEqualTo("broker moves");
            assertThat(resumed.get("changed").booleanValue()).isTrue();
            assertThat(console.post("/topics/probe", "{\"namespace\":\"default\",\"topic\":\"orders\"}")
                            .status())
                    .isEqualTo(409);
        }
    }

    @Test
    void overviewOutlivesItsDatabase() {
        ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2);
        JsonNode before = console.read("/overview");
        console.pool().close();

        await().atMost(PATIENCE)
                .until(() -> console.read("/overview")
                        .get("verdict")
                        .get("code")
                        .asString()
                        .equals("database-unreachable"));

        assertThat(console.read("/overview").get("cards").get("pending"))
                .isEqualTo(before.get("cards").get("pending"));
        console.close();
    }

    @Test
    void missingTablesAreAVerdict() {
        try (ConsoleUnderTest console = ConsoleUnderTest.empty(Kind.H2, source -> {})) {
            JsonNode sources = json(console.as(ConsoleRole.VIEWER, "GET", "/api/v1/sources", Map.of(), ""));

            JsonNode main = sources.get("sources").get(0);
            assertThat(main.get("verdict").get("code").asString()).isEqualTo("schema-missing");
            assertThat(main.get("database").asString()).startsWith("H2 ");
            assertThat(sources.get("dev").booleanValue()).isFalse();
        }
    }

    private static long numbers(JsonNode series) {
        return series.valueStream().filter(JsonNode::isNumber).count();
    }
}
