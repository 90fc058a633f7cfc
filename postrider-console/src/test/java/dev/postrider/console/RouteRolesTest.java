package dev.postrider.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Database.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every route with every role, taken from the router: a route that is not in the list below fails. */
final class RouteRolesTest {

    // What each role may do: whoever adds a route decides here, too.
    private static final Map<ConsoleRole, String> ROUTES = Map.of(
            ConsoleRole.VIEWER, """
                    GET /api/v1/openapi.json
                    GET /api/v1/sources
                    GET S/alerts
                    GET S/audit
                    GET S/bulk
                    GET S/bulk/{id}
                    GET S/bulk/{id}/rows
                    GET S/dead/groups
                    GET S/dev
                    GET S/doctor
                    GET S/inbox/consumers
                    GET S/inbox/lookup
                    GET S/inbox/parked
                    GET S/keys/blocked
                    GET S/messages
                    GET S/messages/export
                    GET S/messages/{id}
                    GET S/messages/{id}/neighbours
                    GET S/messages/{id}/payload
                    GET S/overview
                    GET S/relays
                    GET S/sagas
                    GET S/sagas/{id}
                    GET S/settings
                    GET S/statistics
                    GET S/topics
                    """,
            ConsoleRole.OPERATOR, """
                    POST S/alerts/{rule}/snooze
                    POST S/bulk
                    POST S/bulk/{id}/cancel
                    POST S/bulk/{id}/pause
                    POST S/bulk/{id}/run
                    POST S/dev/broker
                    POST S/dev/kill-relay
                    POST S/dev/poison
                    POST S/dev/start-relay
                    POST S/dev/traffic
                    POST S/inbox/discard
                    POST S/inbox/release
                    POST S/messages/discard
                    POST S/messages/replay
                    POST S/messages/requeue
                    POST S/messages/{id}/edit
                    POST S/messages/{id}/restore
                    POST S/relays/drain
                    POST S/relays/pause
                    POST S/relays/resume
                    POST S/relays/{id}/drain
                    POST S/relays/{id}/pause
                    POST S/relays/{id}/resume
                    POST S/sagas/{id}/cancel
                    POST S/sagas/{id}/compensate
                    POST S/sagas/{id}/retry
                    POST S/sagas/{id}/skip
                    POST S/topics/pause
                    POST S/topics/probe
                    POST S/topics/resume
                    """,
            ConsoleRole.ADMIN, "");

    private static ConsoleUnderTest console;

    @BeforeAll
    static void open() {
        console = ConsoleUnderTest.on(Kind.H2);
    }

    @AfterAll
    static void close() {
        console.close();
    }

    @Test
    void everyRouteHasTheRoleThatWasDecidedHere() {
        Map<String, ConsoleRole> found = console.api().routes().stream()
                .collect(Collectors.toMap(RouteRolesTest::shortName, ConsoleRoute::role, (a, b) -> a, TreeMap::new));
        Map<String, ConsoleRole> decided = new TreeMap<>();
        ROUTES.forEach((role, routes) -> routes.lines().forEach(route -> decided.put(route, role)));

        assertThat(found).isEqualTo(decided);
    }

    @Test
    void readingRoutesAreForEverybodyAndChangesAreNot() {
        for (ConsoleRoute route : console.api().routes()) {
            assertThat(route.role() == ConsoleRole.VIEWER)
                    .as("%s", route)
                    .isEqualTo(route.method().equals("GET"));
        }
    }

    @ParameterizedTest
    @MethodSource("routes")
    void roleBelowTheRoutesIsRefusedAndAnyOtherIsNot(ConsoleRoute route) {
        for (ConsoleRole role : ConsoleRole.values()) {
            ConsoleResponse response = console.as(role, route.method(), path(route), query(route), "");

            if (role.includes(route.role())) {
                assertThat(response.status())
                        .as("%s as %s: %s", route, role, response.body())
                        .isNotIn(403, 500);
            } else {
                assertThat(response.status()).as("%s as %s", route, role).isEqualTo(403);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("routes")
    void answerIsTheSameJsonForEveryRoleThatMayAsk(ConsoleRoute route) {
        if (!route.method().equals("GET")) {
            return;
        }
        for (ConsoleRole role : List.of(ConsoleRole.VIEWER, ConsoleRole.ADMIN)) {
            ConsoleResponse response = console.as(role, "GET", path(route), query(route), "");

            assertThat(response.contentType()).as("%s", route).isNotBlank();
            if (response.attachment() == null) {
                assertThat(ConsoleUnderTest.json(response).isObject())
                        .as("%s", route)
                        .isTrue();
            }
        }
    }

    static List<ConsoleRoute> routes() {
        try (ConsoleApi api = ConsoleApi.of(List.of())) {
            return api.routes();
        }
    }

    private static String shortName(ConsoleRoute route) {
        return route.method() + " " + route.template().replace("/api/v1/sources/{source}", "S");
    }

    private static String path(ConsoleRoute route) {
        return route.template()
                .replace("{source}", "main")
                .replace("{rule}", "dead")
                .replace("{id}", UUID.randomUUID().toString());
    }

    private static Map<String, String> query(ConsoleRoute route) {
        Map<String, String> query = new LinkedHashMap<>();
        if (route.template().endsWith("/inbox/lookup")) {
            query.put("id", "1");
        }
        if (route.template().endsWith("/inbox/lookup") || route.template().endsWith("/inbox/parked")) {
            query.put("consumer", "billing");
        }
        return query;
    }
}
