package dev.postrider.console.message;

import static dev.postrider.console.ConsoleUnderTest.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.console.ConsoleResponse;
import dev.postrider.console.ConsoleUnderTest;
import dev.postrider.services.Database.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

final class BulkRoutesTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void preparedActionChangesOnlyWhatItFroze(Kind kind) throws SQLException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(kind)) {
            for (int i = 0; i < 4; i++) {
                console.enqueue("orders", "k" + i);
            }
            console.enqueue("payments", "p");
            console.kill("timed out");

            JsonNode plan = prepare(console, "requeue", "topic:orders");
            UUID later = console.enqueue("orders", "late");
            console.kill("timed out");
            ConsoleResponse run = console.post("/bulk/" + plan.get("id").asString() + "/run", "{\"batchSize\":2}");

            assertThat(plan.get("status").asString()).isEqualTo("PREPARED");
            assertThat(plan.get("expected").intValue()).isEqualTo(4);
            assertThat(plan.get("samples").size()).isEqualTo(4);
            assertThat(plan.get("filter").asString()).contains("topic:orders");
            assertThat(run.status()).isEqualTo(202);
            JsonNode end = end(console, plan);
            assertThat(end.get("status").asString()).isEqualTo("DONE");
            assertThat(end.get("done").intValue()).isEqualTo(4);
            assertThat(console.read("/messages/" + later).get("status").asString())
                    .isEqualTo("DEAD");
            JsonNode rows = console.read("/bulk/" + plan.get("id").asString() + "/rows", Map.of("limit", "3"));
            assertThat(rows.get("items").size()).isEqualTo(3);
            assertThat(rows.get("next").longValue()).isPositive();
            assertThat(console.read("/bulk").get("items").size()).isEqualTo(1);
        }
    }

    @Test
    void endedActionIsAConflictToItsCaller() throws SQLException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2)) {
            console.enqueue("orders", "k");
            console.kill("x");
            JsonNode plan = prepare(console, "discard", "status:dead");
            String path = "/bulk/" + plan.get("id").asString();

            JsonNode cancelled = json(console.post(path + "/cancel", "{\"reason\":\"wrong filter\"}"));
            ConsoleResponse run = console.post(path + "/run", "");

            assertThat(cancelled.get("status").asString()).isEqualTo("CANCELLED");
            assertThat(run.status()).isEqualTo(409);
            assertThat(json(run).get("detail").asString()).contains("CANCELLED");
        }
    }

    @Test
    void unknownActionIsNotFound() {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2)) {
            String path = "/bulk/" + UUID.randomUUID();

            assertThat(console.get(path, Map.of()).status()).isEqualTo(404);
            assertThat(console.post(path + "/run", "{}").status()).isEqualTo(404);
            assertThat(console.post(path + "/pause", "{\"reason\":\"r\"}").status())
                    .isEqualTo(404);
            assertThat(console.get(path + "/rows", Map.of()).status()).isEqualTo(404);
        }
    }

    @Test
    void selectionOfEverythingMustBeWritten() {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2)) {
            ConsoleResponse response =
                    console.post("/bulk", "{\"action\":\"discard\",\"filter\":\"\",\"reason\":\"r\"}");

            assertThat(response.status()).isEqualTo(400);
        }
    }

    @Test
    void statusThatTheActionCannotTakeIsABadRequest() {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2)) {
            ConsoleResponse response =
                    console.post("/bulk", "{\"action\":\"replay\",\"filter\":\"status:dead\",\"reason\":\"r\"}");

            assertThat(response.status()).isEqualTo(400);
        }
    }

    private static JsonNode prepare(ConsoleUnderTest console, String action, String filter) {
        ConsoleResponse response = console.post(
                "/bulk", "{\"action\":\"%s\",\"filter\":\"%s\",\"reason\":\"r\"}".formatted(action, filter));
        assertThat(response.status()).isEqualTo(200);
        return json(response);
    }

    private static JsonNode end(ConsoleUnderTest console, JsonNode plan) {
        String path = "/bulk/" + plan.get("id").asString();
        await().atMost(PATIENCE)
                .until(() -> console.read(path).get("status").asString().equals("DONE"));
        return console.read(path);
    }
}
