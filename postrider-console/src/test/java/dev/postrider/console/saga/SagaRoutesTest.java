package dev.postrider.console.saga;

import static dev.postrider.console.ConsoleUnderTest.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.console.ConsoleResponse;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.ConsoleUnderTest;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.saga.LocalSagaDefinition;
import dev.postrider.saga.Saga;
import dev.postrider.saga.SagaCodec;
import dev.postrider.saga.SagaEngine;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

final class SagaRoutesTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void failedSagaShowsItsWayBackAsAGraph(Kind kind) {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(kind);
                SagaEngine engine =
                        console.postrider().sagas().register(order()).build().start()) {
            engine.saga(order()).start("order-42", "context of 42");
            await().atMost(PATIENCE)
                    .until(() -> console.read("/sagas", Map.of("status", "COMPENSATED"))
                                    .get("items")
                                    .size()
                            == 1);

            JsonNode item = console.read("/sagas", Map.of("definition", "order"))
                    .get("items")
                    .get(0);
            JsonNode saga = console.read("/sagas/" + item.get("id").asString());

            assertThat(item.get("businessKey").asString()).isEqualTo("order-42");
            assertThat(saga.get("graph").get("nodes").toString())
                    .isEqualTo(
                            "[{\"id\":\"reserve\",\"step\":\"reserve\",\"direction\":\"FORWARD\",\"status\":\"DONE\",\"attempts\":1},"
                                    + "{\"id\":\"pay\",\"step\":\"pay\",\"direction\":\"FORWARD\",\"status\":\"FAILED\",\"attempts\":1},"
                                    + "{\"id\":\"ship\",\"step\":\"ship\",\"direction\":\"FORWARD\",\"status\":\"PLANNED\",\"attempts\":0},"
                                    + "{\"id\":\"undo:reserve\",\"step\":\"reserve\",\"direction\":\"BACK\",\"status\":\"DONE\",\"attempts\":1}]");
            assertThat(saga.get("graph").get("edges").toString())
                    .contains(
                            "{\"from\":\"reserve\",\"to\":\"pay\"}", "{\"from\":\"reserve\",\"to\":\"undo:reserve\"}");
            assertThat(saga.get("journal").size()).isEqualTo(3);
            assertThat(saga.get("failure").get("step").asString()).isEqualTo("pay");
            assertThat(saga.get("context").asString()).isEqualTo("context of 42");

            ConsoleResponse viewed = console.as(
                    ConsoleRole.VIEWER,
                    "GET",
                    ConsoleUnderTest.S + "/sagas/" + item.get("id").asString(),
                    Map.of(),
                    "");
            assertThat(viewed.status()).isEqualTo(200);
            assertThat(viewed.body()).doesNotContain("context of 42");

            ConsoleResponse retried =
                    console.post("/sagas/" + item.get("id").asString() + "/retry", "{\"reason\":\"again\"}");
            assertThat(retried.status()).isEqualTo(409);
            assertThat(json(retried).get("detail").asString()).contains("COMPENSATED");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void cancelledSagaTurnsBackAndSaysWho(Kind kind) {
        // No runner is at work, so the saga waits where it was started.
        try (ConsoleUnderTest console = ConsoleUnderTest.on(kind);
                SagaEngine engine =
                        console.postrider().sagas().register(order()).build()) {
            engine.saga(order()).start("order-43", "context");
            String id = console.read("/sagas").get("items").get(0).get("id").asString();

            JsonNode cancelled = json(console.post("/sagas/" + id + "/cancel", "{\"reason\":\"customer left\"}"));
            JsonNode saga = console.read("/sagas/" + id);

            assertThat(cancelled.get("status").asString()).isEqualTo("COMPENSATING");
            assertThat(saga.get("audit").get(0).get("by").asString()).isEqualTo("ada");
            assertThat(saga.get("audit").get(0).get("action").asString()).isEqualTo("CANCEL");
            assertThat(console.post("/sagas/" + id + "/cancel", "{\"reason\":\"again\"}")
                            .status())
                    .isEqualTo(409);
        }
    }

    @Test
    void unknownSagaIsNotFound() {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2)) {
            String path = "/sagas/" + UUID.randomUUID();

            assertThat(console.get(path, Map.of()).status()).isEqualTo(404);
            assertThat(console.post(path + "/retry", "{\"reason\":\"r\"}").status())
                    .isEqualTo(404);
            assertThat(console.post(path + "/skip", "{\"reason\":\"r\"}").status())
                    .isEqualTo(400);
        }
    }

    @Test
    void missingTablesAreAnAnswer() {
        try (ConsoleUnderTest console = ConsoleUnderTest.empty(Kind.H2, source -> {})) {
            assertThat(console.read("/sagas").toString()).isEqualTo("{\"available\":false}");
        }
    }

    private static LocalSagaDefinition<String> order() {
        return Saga.define("order", String.class)
                .codec(new Text())
                .step(
                        "reserve",
                        step -> step.action((context, transaction) -> context).compensate((context, transaction) -> {}))
                .step(
                        "pay",
                        step -> step.action((context, transaction) -> {
                                    throw new IllegalStateException("declined");
                                })
                                .compensate((context, transaction) -> {})
                                .retry(RetryPolicy.exponential(Duration.ofMillis(1), Duration.ofMillis(1), 1)))
                .step(
                        "ship",
                        step -> step.action((context, transaction) -> context).compensate((context, transaction) -> {}))
                .build();
    }

    /** Stores a context that is a text as it is. */
    private record Text() implements SagaCodec<String> {

        @Override
        public String name() {
            return "text";
        }

        @Override
        public String encode(String context) {
            return context;
        }

        @Override
        public String decode(String text) {
            return text;
        }
    }
}
