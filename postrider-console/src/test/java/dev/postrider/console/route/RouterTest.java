package dev.postrider.console.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.console.Caller;
import dev.postrider.console.ConsoleRequest;
import dev.postrider.console.ConsoleResponse;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.ConsoleRoute;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

final class RouterTest {

    private final RouteTable table = new RouteTable();
    private final AtomicInteger calls = new AtomicInteger();
    private Router router;

    record Echo(String text, Instant at) {}

    @BeforeEach
    void register() {
        table.add(
                RouteSpec.general("GET", ConsoleRole.VIEWER, "/things/{id}", Echo.class, "Shows a thing.")
                        .query(RouteField.integer("limit", 1, 10, "How many.")),
                exchange -> new Echo(exchange.variable("id"), Instant.parse("2026-11-19T10:00:00.123456Z")));
        table.add(
                RouteSpec.general("GET", ConsoleRole.VIEWER, "/things/all", Echo.class, "Shows all things."),
                exchange -> new Echo("all", Instant.EPOCH));
        table.add(
                RouteSpec.general("POST", ConsoleRole.OPERATOR, "/things", Echo.class, "Makes a thing.")
                        .body(RouteSpec.REASON)
                        .body(RouteField.of("ids", FieldKind.TEXTS, 1, 2, "Ids."))
                        .body(RouteField.integer("size", 1, 9, "Its size."))
                        .body(RouteField.of("payload", FieldKind.PAYLOAD, 0, 0, "A payload.")),
                exchange -> {
                    calls.incrementAndGet();
                    return new Echo(exchange.decision().reason(), Instant.EPOCH);
                });
        table.add(RouteSpec.general("GET", ConsoleRole.VIEWER, "/broken", Echo.class, "Fails."), exchange -> {
            throw new IllegalStateException("password=hunter2");
        });
        router = new Router(table, name -> Optional.empty());
    }

    @Test
    void variableOfThePathReachesTheHandler() {
        ConsoleResponse response = ask("GET", "/api/v1/things/7", Map.of(), "", ConsoleRole.VIEWER);

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("{\"text\":\"7\",\"at\":\"2026-11-19T10:00:00.123Z\"}");
    }

    @Test
    void wordInThePathWinsOverAVariable() {
        assertThat(ask("GET", "/api/v1/things/all", Map.of(), "", ConsoleRole.VIEWER)
                        .body())
                .contains("\"all\"");
    }

    @Test
    void tooLowRoleIsRefusedBeforeTheBodyIsRead() {
        ConsoleResponse response = ask("POST", "/api/v1/things", Map.of(), "no json", ConsoleRole.VIEWER);

        assertThat(response.status()).isEqualTo(403);
        assertThat(response.contentType()).isEqualTo("application/problem+json");
        assertThat(problem(response, "code")).isEqualTo("not-permitted");
        assertThat(problem(response, "do")).isNotBlank();
        assertThat(calls).hasValue(0);
    }

    @Test
    void higherRoleMayDoWhatALowerOneMay() {
        assertThat(ask("POST", "/api/v1/things", Map.of(), "{\"reason\":\"r\"}", ConsoleRole.ADMIN)
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "~~ | 'reason' is missing",
                "no json | is not JSON",
                "[] | must be a JSON object",
                "{\"reason\":\"r\"} {} | is not JSON",
                "{\"reason\":\"r\",\"reason\":\"s\"} | is not JSON",
                "{\"reason\":\"r\",\"sise\":1} | Unknown field 'sise'",
                "{\"reason\":\" \"} | reason must have 1 to 2000",
                "{\"reason\":1} | reason must be a text",
                "{\"reason\":null} | 'reason' is missing",
                "{\"reason\":\"r\",\"ids\":[]} | ids must be a list of 1 to 2",
                "{\"reason\":\"r\",\"ids\":[\"a\",\"b\",\"c\"]} | ids must be a list of 1 to 2",
                "{\"reason\":\"r\",\"ids\":[1]} | ids must be a text",
                "{\"reason\":\"r\",\"size\":10} | size must be from 1 to 9",
                "{\"reason\":\"r\",\"size\":1.5} | size must be a whole number",
                "{\"reason\":\"r\",\"size\":99999999999999999999} | size must be a whole number",
                "{\"reason\":\"r\",\"payload\":{}} | payload must be",
                "{\"reason\":\"r\",\"payload\":{\"base64\":\"%\"}} | payload is not base64",
            })
    void bodyThatBreaksARuleIsRefusedByName(String body, String why) {
        ConsoleResponse response = ask("POST", "/api/v1/things", Map.of(), body, ConsoleRole.OPERATOR);

        assertThat(response.status()).isEqualTo(400);
        assertThat(problem(response, "detail")).contains(why);
        assertThat(calls).hasValue(0);
    }

    @Test
    void tooLongBodyIsRefused() {
        String body = " ".repeat(RequestInputs.MAX_BODY + 1);

        assertThat(problem(ask("POST", "/api/v1/things", Map.of(), body, ConsoleRole.OPERATOR), "detail"))
                .contains("are allowed");
    }

    @Test
    void deeplyNestedBodyIsRefused() {
        String body = "{\"reason\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}";

        assertThat(ask("POST", "/api/v1/things", Map.of(), body, ConsoleRole.OPERATOR)
                        .status())
                .isEqualTo(400);
    }

    @Test
    void parameterThatBreaksARuleIsRefusedByName() {
        assertThat(detail(Map.of("limit", List.of("11")))).isEqualTo("limit must be from 1 to 10 but was 11");
        assertThat(detail(Map.of("limit", List.of("x")))).contains("whole number");
        assertThat(detail(Map.of("limit", List.of("1", "2")))).contains("given once");
        assertThat(detail(Map.of("limmit", List.of("1")))).contains("Unknown parameter 'limmit'");
    }

    @Test
    void unknownPathAndMethodSayWhereToLook() {
        ConsoleResponse path = ask("GET", "/api/v1/nothing", Map.of(), "", ConsoleRole.ADMIN);
        ConsoleResponse method = ask("DELETE", "/api/v1/things", Map.of(), "", ConsoleRole.ADMIN);

        assertThat(path.status()).isEqualTo(404);
        assertThat(problem(path, "do")).contains("openapi.json");
        assertThat(method.status()).isEqualTo(405);
        assertThat(problem(method, "detail")).contains("POST");
    }

    @Test
    void errorOfAHandlerTellsNothingAboutItself() {
        ConsoleResponse response = ask("GET", "/api/v1/broken", Map.of(), "", ConsoleRole.ADMIN);

        assertThat(response.status()).isEqualTo(500);
        assertThat(problem(response, "code")).isEqualTo("internal");
        assertThat(response.body()).doesNotContain("hunter2");
    }

    @Test
    void routeWithoutARoleCannotBeRegistered() {
        assertThatThrownBy(() -> new ConsoleRoute("GET", "/api/v1/x", null, "Shows x."))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("role");
    }

    @Test
    void secondRouteForTheSameRequestsCannotBeRegistered() {
        RouteSpec spec = RouteSpec.general("GET", ConsoleRole.VIEWER, "/things/{name}", Echo.class, "Again.");

        assertThatThrownBy(() -> table.add(spec, exchange -> "")).hasMessageContaining("Two routes");
    }

    private String detail(Map<String, List<String>> query) {
        return problem(ask("GET", "/api/v1/things/1", query, "", ConsoleRole.VIEWER), "detail");
    }

    private static String problem(ConsoleResponse response, String member) {
        JsonNode problem = ConsoleJson.read(response.body());
        assertThat(problem.path("status").intValue()).isEqualTo(response.status());
        return problem.path(member).asString("");
    }

    private ConsoleResponse ask(
            String method, String path, Map<String, List<String>> query, String body, ConsoleRole role) {
        return router.handle(new ConsoleRequest(method, path, query, body, new Caller("ada", role)));
    }
}
