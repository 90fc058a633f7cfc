package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pages, events and the guard of a server without users. */
final class ServerPagesTest {

    private static HttpSink sink;
    private static PostriderServer server;
    private static HttpCalls http;

    @BeforeAll
    static void start() {
        sink = HttpSink.start();
        Map<String, String> settings = new LinkedHashMap<>(Map.of("server.port", "0"));
        settings.putAll(ServerSettings.embedded("trial", sink));
        server = PostriderServer.start(settings);
        http = new HttpCalls(server.port());
    }

    @AfterAll
    static void stop() {
        server.close();
        sink.close();
    }

    @Test
    void everyScreenIsTheIndexWithItsBase() {
        HttpResponse<String> screen = http.get("/messages/some-id");

        assertThat(screen.statusCode()).isEqualTo(200);
        assertThat(screen.body()).contains("<base href=\"/\">").contains("Pages of the tests");
        assertThat(screen.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy ->
                        assertThat(policy).contains("default-src 'self'").doesNotContain("unsafe"));
        assertThat(screen.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    }

    @Test
    void aProxyNamesThePathOfThePages() {
        assertThat(http.get("/", "X-Forwarded-Prefix", "/ops/postrider").body())
                .contains("<base href=\"/ops/postrider/\">");
        assertThat(http.get("/", "X-Forwarded-Prefix", "//evil.example").body()).contains("<base href=\"/\">");
        assertThat(http.get("/", "X-Forwarded-Prefix", "/\"><script>").body()).doesNotContain("<script>\"");
    }

    @Test
    void aHashedFileIsKeptForeverAndOthersAreAskedFor() {
        HttpResponse<String> hashed = http.get("/assets/main-0a1b2c3d.js");
        HttpResponse<String> plain = http.get("/favicon.svg");

        assertThat(hashed.headers().firstValue("Cache-Control"))
                .hasValueSatisfying(value -> assertThat(value).contains("immutable"));
        assertThat(hashed.headers().firstValue("Content-Type"))
                .hasValueSatisfying(value -> assertThat(value).startsWith("text/javascript"));
        assertThat(plain.headers().firstValue("Cache-Control")).hasValue("no-cache");
        String tag = plain.headers().firstValue("ETag").orElseThrow();
        assertThat(http.get("/favicon.svg", "If-None-Match", tag).statusCode()).isEqualTo(304);
    }

    @Test
    void aFileThatDoesNotExistIsNotFound() {
        assertThat(http.get("/assets/other.js").statusCode()).isEqualTo(404);
        assertThat(http.get("/package-info.class").statusCode()).isEqualTo(404);
        assertThat(http.get("/..%2f..%2fLICENSE.txt").statusCode()).isIn(400, 404);
    }

    @Test
    void eventsSendTheOverview() throws IOException, InterruptedException {
        HttpResponse<InputStream> stream = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(
                                        URI.create("http://127.0.0.1:" + server.port() + "/api/v1/events?source=trial"))
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream());

        assertThat(stream.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/event-stream"));
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            for (int event = 0; event < 3; event++) {
                assertThat(lines.readLine()).isEqualTo("event: overview");
                assertThat(lines.readLine()).startsWith("data: {").contains("\"verdict\"", "\"at\"");
                assertThat(lines.readLine()).isEmpty();
            }
        }
    }

    @Test
    void eventsOfAnUnknownSourceAreNotFound() {
        assertThat(http.get("/api/v1/events?source=nowhere").statusCode()).isEqualTo(404);
        assertThat(http.get("/api/v1/events?source=../../x").statusCode()).isEqualTo(400);
        assertThat(http.get("/api/v1/events").statusCode()).isEqualTo(400);
    }

    @Test
    void aHostThatIsNotThisMachineIsRefused() {
        assertThat(http.statusAtHost("evil.example", "/api/v1/me")).isEqualTo(403);
        assertThat(http.statusAtHost("evil.example:8470", "/")).isEqualTo(403);
        assertThat(http.get("/api/v1/me", "X-Forwarded-For", "10.0.0.1").statusCode())
                .isEqualTo(403);
        assertThat(http.statusAtHost("evil.example", "/actuator/prometheus")).isEqualTo(403);
    }

    @Test
    void aWriteOfAForeignPageIsRefused() {
        String requeue = "/api/v1/sources/trial/messages/requeue";
        String body = "{\"ids\":[],\"reason\":\"a test\"}";

        assertThat(http.post(requeue, body, "Origin", "https://evil.example").statusCode())
                .isEqualTo(403);
        assertThat(http.post(requeue, body, "Sec-Fetch-Site", "cross-site").statusCode())
                .isEqualTo(403);
        assertThat(http.post(requeue, body, "Sec-Fetch-Site", "same-site").statusCode())
                .isEqualTo(403);
        assertThat(http.post(requeue, body, "Origin", "http://127.0.0.1:" + server.port())
                        .statusCode())
                .isNotEqualTo(403);
    }

    @Test
    void aBodyThatIsNoJsonOrTooLargeIsRefused() {
        String requeue = "/api/v1/sources/trial/messages/requeue";

        assertThat(http.send("POST", requeue, "ids=1", "Content-Type", "text/plain")
                        .statusCode())
                .isEqualTo(415);
        assertThat(http.post(requeue, "\"" + "x".repeat(5 * 1024 * 1024) + "\"").statusCode())
                .isEqualTo(413);
    }

    @Test
    void theMachineItselfIsTheAdministrator() {
        assertThat(http.get("/api/v1/me").body()).contains("\"name\":\"local\"", "\"role\":\"admin\"");
    }
}
