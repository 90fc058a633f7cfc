package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.console.ConsoleRole;
import dev.postrider.console.ConsoleRoute;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** A server with users answers each of them by its role, over HTTP, and nobody else. */
final class ServerSecurityTest {

    private static final String PASSWORD = "canary-52ab";
    private static final String HASH = "{bcrypt}" + new BCryptPasswordEncoder(4).encode(PASSWORD);

    private static HttpSink sink;
    private static PostriderServer server;
    private static HttpCalls http;

    @BeforeAll
    static void start() {
        sink = HttpSink.start();
        Map<String, String> settings = new LinkedHashMap<>(Map.of("server.port", "0", "server.address", "127.0.0.1"));
        for (ConsoleRole role : ConsoleRole.values()) {
            String name = name(role);
            settings.put("postrider.server.users." + name + ".password", HASH);
            settings.put("postrider.server.users." + name + ".role", name);
        }
        settings.put("postrider.server.users.mallory.password", HASH);
        settings.put("postrider.server.users.mallory.role", "viewer");
        settings.putAll(ServerSettings.embedded("trial", sink));
        settings.put("postrider.server.sources.trial.spring.datasource.password", "");
        settings.put("postrider.server.sources.trial.spring.kafka.properties.sasl.jaas.config", PASSWORD);
        settings.put("postrider.server.sources.trial.spring.kafka.bootstrap-servers", "127.0.0.1:9");
        server = PostriderServer.start(settings);
        http = new HttpCalls(server.port());
    }

    @AfterAll
    static void stop() {
        server.close();
        sink.close();
    }

    static Stream<ConsoleRoute> routes() {
        return Objects.requireNonNull(server.bean(ServerConsole.class).api()).routes().stream();
    }

    @ParameterizedTest
    @MethodSource("routes")
    void aRouteAnswersTheRolesThatMayAskAndNoOther(ConsoleRoute route) {
        String path = route.template().replace("{source}", "trial").replaceAll("\\{[^}]*}", "no-such-thing");
        String body = route.method().equals("GET") ? "" : "{}";

        assertThat(http.send(route.method(), path, body).statusCode())
                .as("nobody")
                .isEqualTo(401);
        for (ConsoleRole role : ConsoleRole.values()) {
            HttpResponse<String> answer =
                    http.send(route.method(), path, body, "Authorization", HttpCalls.basic(name(role), PASSWORD));

            if (role.includes(route.role())) {
                assertThat(answer.statusCode())
                        .as("%s: %s", role, answer.body())
                        .isNotIn(401, 403, 405, 500);
            } else {
                assertThat(answer.statusCode())
                        .as("%s: %s", role, answer.body())
                        .isEqualTo(403);
                assertThat(answer.body()).contains("\"not-permitted\"");
            }
        }
    }

    @Test
    void aSessionBeginsAndEnds() {
        HttpResponse<String> begun =
                http.post("/api/v1/session", "{\"name\":\"operator\",\"password\":\"%s\"}".formatted(PASSWORD));

        assertThat(begun.statusCode()).as(begun.body()).isEqualTo(204);
        String cookie = begun.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie).contains("HttpOnly", "SameSite=Strict");
        String session = cookie.substring(0, cookie.indexOf(';'));
        assertThat(http.get("/api/v1/me", "Cookie", session).body())
                .contains("\"name\":\"operator\"", "\"role\":\"operator\"", "\"canSignOut\":true");
        assertThat(http.send("DELETE", "/api/v1/session", "", "Cookie", session).statusCode())
                .isEqualTo(204);
        assertThat(http.get("/api/v1/me", "Cookie", session).statusCode()).isEqualTo(401);
    }

    @Test
    void nobodyLearnsHowToSignInAndNothingElse() {
        HttpResponse<String> nobody = http.get("/api/v1/me");

        assertThat(nobody.statusCode()).isEqualTo(401);
        assertThat(nobody.body()).contains("\"signed-out\"", "\"password\":true");
        assertThat(nobody.headers().firstValue("WWW-Authenticate")).isEmpty();
        assertThat(http.get("/api/v1/events?source=trial").statusCode()).isEqualTo(401);
        assertThat(http.get("/actuator/prometheus").statusCode()).isEqualTo(401);
        assertThat(http.get("/actuator/info").statusCode()).isEqualTo(401);
        assertThat(http.get("/actuator/health/readiness").body()).isEqualTo("{\"status\":\"UP\"}");
        assertThat(http.get("/messages").statusCode()).isEqualTo(200);
    }

    @Test
    void metricsNeedAViewer() {
        assertThat(http.get("/actuator/prometheus", "Authorization", HttpCalls.basic("viewer", PASSWORD))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void failuresOfANameAreLimited() {
        String wrong = "{\"name\":\"mallory\",\"password\":\"wrong\"}";
        List<Integer> answers = Stream.generate(() -> http.post("/api/v1/session", wrong, "X-Forwarded-For", "10.0.0.1")
                        .statusCode())
                .limit(11)
                .toList();

        assertThat(answers.subList(0, 10)).containsOnly(401);
        assertThat(answers.get(10)).isEqualTo(429);
        assertThat(http.post("/api/v1/session", wrong.replace("wrong", PASSWORD))
                        .statusCode())
                .isEqualTo(429);
    }

    @Test
    void noAnswerContainsASecret() {
        String admin = HttpCalls.basic("admin", PASSWORD);
        for (ConsoleRoute route :
                routes().filter(each -> each.method().equals("GET")).toList()) {
            String path = route.template().replace("{source}", "trial").replaceAll("\\{[^}]*}", "no-such-thing");

            assertThat(http.get(path, "Authorization", admin).body())
                    .as(path)
                    .doesNotContain(PASSWORD)
                    .doesNotContain("$2a$");
        }
        for (String path : List.of("/actuator/prometheus", "/actuator/info", "/actuator/health", "/api/v1/me")) {
            assertThat(http.get(path, "Authorization", admin).body()).as(path).doesNotContain(PASSWORD);
        }
    }

    private static String name(ConsoleRole role) {
        return role.name().toLowerCase(Locale.ROOT);
    }
}
