package dev.postrider.console.message;

import static dev.postrider.console.ConsoleUnderTest.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.console.Attachment;
import dev.postrider.console.ConsoleResponse;
import dev.postrider.console.ConsoleUnderTest;
import dev.postrider.services.Database.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

final class MessageRoutesTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void filtersFindTheirMessages(Kind kind) throws SQLException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(kind)) {
            UUID dead = console.enqueue("orders", "42");
            console.kill("java.io.IOException: timed out");
            UUID retrying = console.enqueue("payments", "43");
            console.fail("busy");
            UUID fresh = console.enqueue("orders", "44");

            assertThat(ids(console, "")).containsExactly(fresh, retrying, dead);
            assertThat(ids(console, "status:dead")).containsExactly(dead);
            assertThat(ids(console, "topic:orders")).containsExactly(fresh, dead);
            assertThat(ids(console, "topic:default/payments key:43")).containsExactly(retrying);
            assertThat(ids(console, "status:retrying")).containsExactly(retrying);
            assertThat(ids(console, "attempts:>=2")).isEmpty();
            assertThat(ids(console, "TIMED")).containsExactly(dead);
            assertThat(ids(console, "age:<1h status:pending")).containsExactly(fresh, retrying);
            assertThat(ids(console, "age:>1h")).isEmpty();
            assertThat(ids(console, "id:" + dead)).containsExactly(dead);
            assertThat(ids(console, "status:pending id:" + dead)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void pagesShowEachMessageOnce(Kind kind) throws SQLException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(kind)) {
            Set<String> stored = new HashSet<>();
            for (int i = 0; i < 7; i++) {
                stored.add(console.enqueue("orders", "k" + i).toString());
            }

            Set<String> shown = new HashSet<>();
            JsonNode page = console.read("/messages", Map.of("limit", "3", "order", "oldest"));
            while (true) {
                page.get("items")
                        .forEach(each ->
                                assertThat(shown.add(each.get("id").asString())).isTrue());
                if (!page.has("next")) {
                    break;
                }
                page = console.read(
                        "/messages",
                        Map.of(
                                "limit",
                                "3",
                                "order",
                                "oldest",
                                "cursor",
                                page.get("next").asString()));
            }

            assertThat(shown).isEqualTo(stored);
        }
    }

    @Test
    void foreignCursorIsABadRequest() {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2)) {
            ConsoleResponse response = console.get("/messages", Map.of("cursor", "died-up-1-1"));

            assertThat(response.status()).isEqualTo(400);
            assertThat(json(response).get("code").asString()).isEqualTo("bad-request");
        }
    }

    @Test
    void brokenFilterTellsItsPosition() {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2)) {
            JsonNode problem = json(console.get("/messages", Map.of("filter", "staus:dead")));

            assertThat(problem.get("code").asString()).isEqualTo("filter-broken");
            assertThat(problem.get("detail").asString())
                    .isEqualTo("Unknown qualifier 'staus' at 1; did you mean 'status'?");
            assertThat(problem.get("position").intValue()).isEqualTo(1);
            assertThat(problem.get("length").intValue()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void detailHasPayloadHeadersAttemptsAndAudit(Kind kind) throws SQLException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(kind)) {
            UUID id = console.enqueue(OutboxMessage.to("orders", "Placed")
                    .key("42")
                    .header("trace", "abc")
                    .payload("{\"amount\": 12345678901234567890.10}")
                    .build());
            console.kill("timed out");
            console.post("/messages/requeue", "{\"ids\":[\"%s\"],\"reason\":\"broker is back\"}".formatted(id));

            JsonNode detail = console.read("/messages/" + id);

            assertThat(detail.get("id").asString()).isEqualTo(id.toString());
            assertThat(detail.get("status").asString()).isEqualTo("PENDING");
            assertThat(detail.get("payload").get("text").asString()).isEqualTo("{\"amount\": 12345678901234567890.10}");
            assertThat(detail.get("headers").get("trace").asString()).isEqualTo("abc");
            assertThat(detail.get("attemptsList").get(0).get("outcome").asString())
                    .isEqualTo("DEAD");
            assertThat(detail.get("attemptsList").get(0).get("error").asString())
                    .contains("timed out");
            JsonNode entry = detail.get("audit").get(0);
            assertThat(entry.get("by").asString()).isEqualTo("ada");
            assertThat(entry.get("reason").asString()).isEqualTo("broker is back");
            assertThat(detail.has("tenant")).isFalse();
        }
    }

    @Test
    void payloadThatIsNoTextIsShownInBase64AndDownloadedAsItIs() throws SQLException, IOException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2)) {
            byte[] bytes = {(byte) 0xff, 0, 1};
            UUID id = console.enqueue(
                    OutboxMessage.to("orders", "Placed").payload(bytes).build());

            JsonNode payload = console.read("/messages/" + id).get("payload");
            ConsoleResponse download = console.get("/messages/" + id + "/payload", Map.of());

            assertThat(payload.get("base64").asString()).isEqualTo("/wAB");
            assertThat(payload.has("text")).isFalse();
            assertThat(written(download)).isEqualTo(bytes);
            assertThat(download.contentType()).isEqualTo("application/octet-stream");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void messageInTheArchiveIsTold(Kind kind) throws SQLException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(kind)) {
            UUID id = console.enqueue("orders", "42");
            console.kill("timed out");
            console.post("/messages/discard", "{\"ids\":[\"%s\"],\"reason\":\"obsolete\"}".formatted(id));

            ConsoleResponse gone = console.get("/messages/" + id, Map.of());
            ConsoleResponse restored =
                    console.post("/messages/" + id + "/restore", "{\"reason\":\"needed after all\"}");

            assertThat(gone.status()).isEqualTo(404);
            assertThat(json(gone).get("archived").get(0).get("ended").asString())
                    .isEqualTo("DISCARDED");
            assertThat(restored.status()).isEqualTo(200);
            assertThat(console.read("/messages/" + id).get("status").asString()).isEqualTo("PENDING");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void actionsCountWhatTheyDid(Kind kind) throws SQLException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(kind)) {
            UUID dead = console.enqueue("orders", "1");
            console.kill("x");
            UUID delivered = console.enqueue("orders", "2");
            console.deliver();
            String ids = "{\"ids\":[\"%s\",\"%s\"],\"reason\":\"r\"}".formatted(dead, delivered);

            JsonNode requeued = json(console.post("/messages/requeue", ids));
            JsonNode replayed = json(console.post("/messages/replay", ids));

            assertThat(requeued.toString()).isEqualTo("{\"asked\":2,\"done\":1}");
            assertThat(replayed.toString()).isEqualTo("{\"asked\":2,\"done\":1}");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void editedMessageHasANewIdAndTheNewPayload(Kind kind) throws SQLException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(kind)) {
            UUID id = console.enqueue("orders", "42");
            String edit = "{\"payload\":{\"text\":\"{}\"},\"headers\":{\"a\":\"b\"},\"version\":2,\"reason\":\"typo\"}";

            ConsoleResponse early = console.post("/messages/" + id + "/edit", edit);
            console.kill("x");
            JsonNode edited = json(console.post("/messages/" + id + "/edit", edit));

            assertThat(early.status()).isEqualTo(409);
            assertThat(json(early).get("code").asString()).isEqualTo("conflict");
            JsonNode detail = console.read("/messages/" + edited.get("id").asString());
            assertThat(detail.get("payload").get("text").asString()).isEqualTo("{}");
            assertThat(detail.get("version").intValue()).isEqualTo(2);
            assertThat(detail.get("archived").get(0).get("id").asString()).isEqualTo(id.toString());
        }
    }

    @Test
    void editThatReplacesNothingIsABadRequest() throws SQLException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2)) {
            UUID id = console.enqueue("orders", "42");
            console.kill("x");

            assertThat(console.post("/messages/" + id + "/edit", "{\"reason\":\"r\"}")
                            .status())
                    .isEqualTo(400);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void exportHasEveryMessageOfTheFilter(Kind kind) throws SQLException, IOException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(kind)) {
            for (int i = 0; i < 5; i++) {
                console.enqueue("orders", "=k" + i);
            }
            console.enqueue("payments", "p");

            String lines = text(console.get("/messages/export", Map.of("filter", "topic:orders", "payload", "true")));
            String csv = text(console.get("/messages/export", Map.of("format", "csv", "max", "2")));

            assertThat(lines.lines()).hasSize(5).allMatch(line -> line.contains("\"text\":\"{\\\"a\\\":1}\""));
            assertThat(csv.lines()).hasSize(3);
            assertThat(csv).startsWith("id,seq,status").contains(",'=k4,");
        }
    }

    @Test
    void cellsOfCsvAreNoFormulas() {
        assertThat(MessageExport.cell("=1+1")).isEqualTo("'=1+1");
        assertThat(MessageExport.cell("a,\"b\"")).isEqualTo("\"a,\"\"b\"\"\"");
        assertThat(MessageExport.cell("a\nb")).isEqualTo("\"a\nb\"");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void deadGroupsAndBlockedKeysAreCounted(Kind kind) throws SQLException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(kind)) {
            console.enqueue("orders", "1");
            console.enqueue("orders", "2");
            console.kill("timed out");
            console.enqueue("payments", "3");
            console.kill("timed out");

            JsonNode groups = console.read("/dead/groups").get("items");
            JsonNode payments = console.read("/dead/groups", Map.of("filter", "topic:payments"))
                    .get("items");

            assertThat(groups.size()).isEqualTo(2);
            assertThat(groups.get(0).get("topic").asString()).isEqualTo("orders");
            assertThat(groups.get(0).get("count").intValue()).isEqualTo(2);
            assertThat(groups.get(0).get("atLeast").booleanValue()).isFalse();
            assertThat(payments.size()).isEqualTo(1);
            assertThat(console.get("/dead/groups", Map.of("filter", "id:" + UUID.randomUUID()))
                            .status())
                    .isEqualTo(400);
            assertThat(console.read("/keys/blocked").has("items")).isTrue();
        }
    }

    @Test
    void missingTablesSayWhatToRun() {
        try (ConsoleUnderTest console = ConsoleUnderTest.empty(Kind.H2, source -> {})) {
            ConsoleResponse response = console.get("/messages", Map.of());

            assertThat(response.status()).isEqualTo(503);
            assertThat(json(response).get("code").asString()).isEqualTo("schema-missing");
            assertThat(json(response).get("do").asString()).contains("migrate");
        }
    }

    @Test
    void closedPoolIsAnUnreachableDatabase() {
        ConsoleUnderTest console = ConsoleUnderTest.on(Kind.H2);
        console.close();

        ConsoleResponse response = console.get("/messages", Map.of());

        assertThat(response.status()).isEqualTo(503);
        assertThat(json(response).get("code").asString()).isEqualTo("database-unreachable");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "H2"})
    void auditTrailIsFilteredByPerson(Kind kind) throws SQLException {
        try (ConsoleUnderTest console = ConsoleUnderTest.on(kind)) {
            UUID id = console.enqueue("orders", "1");
            console.kill("x");
            console.post("/messages/requeue", "{\"ids\":[\"%s\"],\"reason\":\"r\"}".formatted(id));

            assertThat(console.read("/audit", Map.of("by", "ada")).get("items").size())
                    .isEqualTo(1);
            assertThat(console.read("/audit", Map.of("by", "eve")).get("items").size())
                    .isZero();
            assertThat(console.read("/audit", Map.of("messageId", id.toString()))
                            .get("items")
                            .get(0)
                            .get("action")
                            .asString())
                    .isEqualTo("REQUEUE");
            assertThat(console.get("/audit", Map.of("from", "yesterday")).status())
                    .isEqualTo(400);
        }
    }

    private static List<UUID> ids(ConsoleUnderTest console, String filter) {
        JsonNode page = console.read("/messages", filter.isEmpty() ? Map.of() : Map.of("filter", filter));
        return page.get("items")
                .valueStream()
                .map(each -> UUID.fromString(each.get("id").asString()))
                .toList();
    }

    private static String text(ConsoleResponse response) throws IOException {
        return new String(written(response), StandardCharsets.UTF_8);
    }

    private static byte[] written(ConsoleResponse response) throws IOException {
        assertThat(response.status()).isEqualTo(200);
        Attachment attachment = Objects.requireNonNull(response.attachment());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        attachment.content().writeTo(out);
        return out.toByteArray();
    }
}
