package dev.postrider.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxException;
import dev.postrider.alert.Alert;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Alerts that go to real HTTP servers. */
@Tag("R4.6")
class WebhookAlertSenderTest {

    private static final String SECRET = "/api/webhooks/1/s3cr3t-t0ken";
    private static final Instant AT = Instant.parse("2026-02-03T04:05:06Z");

    static List<Alert> alerts() {
        Map<String, String> many = new LinkedHashMap<>();
        for (int i = 0; i < 60; i++) {
            many.put("detail " + i, "v".repeat(20 * i));
        }
        return List.of(
                alert("3 dead messages", Map.of("relay", "relay-1", "reason", "broker said no")),
                alert("", Map.of("", "")),
                alert("x".repeat(10_000), Map.of("n".repeat(1_000), "v".repeat(5_000))),
                alert("😀".repeat(5_000), Map.of("😀".repeat(500), "😀".repeat(2_000))),
                alert("*_[]".repeat(5_000), Map.of("`".repeat(500), "\\".repeat(2_000))),
                alert("line\r\nline\u0000\u001b[31m\u202e\u2028\"quoted\"\\", Map.of("a\tb", "c\u0007d")),
                alert("@everyone @here <@123> <@&456> [click](http://evil.example)", Map.of("who", "@everyone")),
                alert("lone \ud83d surrogate", Map.of("x", "\udc00")),
                alert("many", many));
    }

    private static Alert alert(String summary, Map<String, String> details) {
        return new Alert("dead_messages", Alert.Severity.CRITICAL, Alert.State.FIRING, summary, details, AT);
    }

    @ParameterizedTest
    @MethodSource("alerts")
    void discordGetsWhatItDocumentsFieldByField(Alert alert) throws IOException {
        try (Receiver discord =
                        Receiver.that((request, connection) -> connection.respond(isDiscord(request) ? 204 : 400));
                WebhookAlertSender sender = to(WebhookAlertSender.discord(discord.url() + SECRET), discord)) {

            sender.send(alert);

            assertThat(discord.requests()).hasSize(1);
        }
    }

    // https://discord.com/developers/docs/resources/webhook and .../message#embed-object-embed-limits
    @SuppressWarnings("unchecked")
    private static boolean isDiscord(Received request) {
        assertThat(request.target()).isEqualTo(SECRET);
        assertThat(request.head()).startsWith("POST ");
        assertThat(request.header("content-type")).isEqualTo("application/json");
        Map<String, Object> message = Json.object(text(request));
        assertThat(message.keySet()).isSubsetOf("username", "content", "embeds", "allowed_mentions");
        assertThat((String) required(message, "username")).hasSizeBetween(1, 80);
        assertThat(message.get("allowed_mentions")).isEqualTo(Map.of("parse", List.of()));
        List<Map<String, Object>> embeds = (List<Map<String, Object>>) required(message, "embeds");
        assertThat(embeds).hasSizeBetween(1, 10);
        Map<String, Object> embed = embeds.get(0);
        assertThat(embed.keySet()).isSubsetOf("title", "description", "color", "timestamp", "fields");
        String title = (String) required(embed, "title");
        String description = (String) required(embed, "description");
        assertThat(title).hasSizeBetween(1, 256);
        assertThat(description).hasSizeLessThanOrEqualTo(4_096);
        assertThat((Long) required(embed, "color")).isBetween(0L, 0xFFFFFFL);
        assertThat(Instant.parse((String) required(embed, "timestamp"))).isEqualTo(AT);
        List<Map<String, Object>> fields = (List<Map<String, Object>>) required(embed, "fields");
        assertThat(fields).hasSizeLessThanOrEqualTo(25);
        int total = title.length() + description.length();
        for (Map<String, Object> field : fields) {
            assertThat(field.keySet()).isEqualTo(Set.of("name", "value", "inline"));
            assertThat((String) required(field, "name")).isNotBlank().hasSizeLessThanOrEqualTo(256);
            assertThat((String) required(field, "value")).isNotBlank().hasSizeLessThanOrEqualTo(1_024);
            total += ((String) required(field, "name")).length() + ((String) required(field, "value")).length();
            assertSound((String) required(field, "name"));
            assertSound((String) required(field, "value"));
        }
        assertThat(total).isLessThanOrEqualTo(6_000);
        assertSound(title);
        assertSound(description);
        assertThat(description).doesNotContainPattern("(?<!\\\\)\\[click");
        return true;
    }

    private static Object required(Map<String, Object> object, String name) {
        return Objects.requireNonNull(object.get(name), name);
    }

    private static void assertSound(String text) {
        assertThat(text.codePoints().noneMatch(c -> Character.isISOControl(c) || (c >= 0xD800 && c <= 0xDFFF)))
                .as(text)
                .isTrue();
    }

    private static String text(Received request) {
        return new String(request.body().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @MethodSource("alerts")
    void slackGetsOneEscapedText(Alert alert) throws IOException {
        try (Receiver slack = Receiver.responding(200);
                WebhookAlertSender sender = to(WebhookAlertSender.slack(slack.url() + SECRET), slack)) {

            sender.send(alert);

            Map<String, Object> message = Json.object(text(slack.requests().get(0)));
            assertThat(message.keySet()).containsExactly("text");
            String text = (String) required(message, "text");
            assertThat(text)
                    .startsWith("*CRITICAL: dead_messages*")
                    .doesNotContain("<", ">")
                    .doesNotContainPattern("&(?!amp;|lt;|gt;)")
                    .hasSizeLessThanOrEqualTo(40_000);
        }
    }

    @Test
    void theGenericFormIsOneFlatObject() throws IOException {
        try (Receiver receiver = Receiver.responding(202);
                WebhookAlertSender sender = to(WebhookAlertSender.json(receiver.url() + SECRET), receiver)) {

            sender.send(new Alert(
                    "dead_messages",
                    Alert.Severity.WARNING,
                    Alert.State.RESOLVED,
                    "No \"dead\" messages",
                    Map.of("relay", "r1"),
                    AT));

            assertThat(Json.object(text(receiver.requests().get(0))))
                    .isEqualTo(Map.of(
                            "source", "postrider",
                            "name", "dead_messages",
                            "severity", "WARNING",
                            "state", "RESOLVED",
                            "summary", "No \"dead\" messages",
                            "at", "2026-02-03T04:05:06Z",
                            "detail.relay", "r1"));
        }
    }

    @Test
    void aReceiverThatAsksForPatienceIsAskedOnceMore() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        try (Receiver busy = Receiver.that((request, connection) -> {
                    if (asked.incrementAndGet() == 1) {
                        connection.respond(429, "Retry-After: 1");
                    } else {
                        connection.respond(204);
                    }
                });
                WebhookAlertSender sender = to(WebhookAlertSender.discord(busy.url() + SECRET), busy)) {

            sender.send(alerts().get(0));

            assertThat(busy.requests()).hasSize(2);
            assertThat(busy.requests().get(1).nanos() - busy.requests().get(0).nanos())
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(1).toNanos());
        }
    }

    @Test
    void aReceiverThatAlwaysAsksForPatienceIsAskedTwice() throws IOException {
        assertRefused(2, Receiver.responding(429, "Retry-After: 1"));
    }

    @Test
    void aReceiverThatAsksForAnHourIsNotWaitedFor() throws IOException {
        assertRefused(1, Receiver.responding(429, "Retry-After: 3600"));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 404, 500, 503})
    void anythingButSuccessIsAnError(int status) throws IOException {
        assertRefused(1, Receiver.responding(status));
    }

    @Test
    void aRedirectIsNotFollowed() throws IOException {
        try (Receiver elsewhere = Receiver.responding(200)) {
            assertRefused(1, Receiver.responding(307, "Location: " + elsewhere.url()));

            assertThat(elsewhere.requests()).isEmpty();
        }
    }

    private static void assertRefused(int requests, Receiver receiver) {
        try (receiver;
                WebhookAlertSender sender = to(WebhookAlertSender.discord(receiver.url() + SECRET), receiver)) {
            assertThatThrownBy(() -> sender.send(alerts().get(0)))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("not taken")
                    .satisfies(WebhookAlertSenderTest::assertKeepsTheSecret);
            assertThat(receiver.requests()).hasSize(requests);
        }
    }

    private static void assertKeepsTheSecret(Throwable error) {
        for (Throwable each = error; each != null; each = each.getCause()) {
            assertThat(each.toString()).doesNotContain("s3cr3t");
        }
    }

    @Test
    void aReceiverThatHangsCostsABoundedTime() throws IOException {
        try (Receiver hanging = Receiver.that((request, connection) -> connection.awaitEnd());
                WebhookAlertSender sender = to(
                        WebhookAlertSender.discord(hanging.url() + SECRET).timeout(Duration.ofMillis(500)), hanging)) {

            assertThatThrownBy(() -> sender.send(alerts().get(0)))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining("500 ms")
                    .satisfies(WebhookAlertSenderTest::assertKeepsTheSecret);
        }
    }

    @Test
    void anAnswerWithoutEndDoesNotKeepTheSender() throws IOException {
        try (Receiver endless = Receiver.that((request, connection) -> {
                    connection.write("HTTP/1.1 200 OK\r\n\r\n");
                    connection.writeForEver("x".repeat(1_000));
                });
                WebhookAlertSender sender = to(WebhookAlertSender.json(endless.url() + SECRET), endless)) {

            assertThatCode(() -> sender.send(alerts().get(0))).doesNotThrowAnyException();
        }
    }

    @Test
    void everyAlertIsTriedHoweverManyFailedBefore() throws IOException {
        try (Receiver broken = Receiver.responding(503);
                WebhookAlertSender sender = to(WebhookAlertSender.json(broken.url() + SECRET), broken)) {
            for (int i = 0; i < 20; i++) {
                assertThatThrownBy(() -> sender.send(alerts().get(0))).isInstanceOf(OutboxException.class);
            }

            assertThat(broken.requests()).hasSize(20);
        }
    }

    @Test
    void internalAddressesAreRefusedUnlessTheyAreAllowed() throws IOException {
        try (Receiver internal = Receiver.responding(200)) {
            WebhookAlertSender.Builder builder = WebhookAlertSender.discord(internal.url() + SECRET)
                    .allowPlaintext(true)
                    .allowPort(internal.port());

            assertThatThrownBy(builder::build)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not allowed")
                    .satisfies(WebhookAlertSenderTest::assertKeepsTheSecret);
            assertThat(internal.connections()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://h.example/s3cr3t", "nonsense s3cr3t", "https://h.example/{topic}/s3cr3t"})
    void aBadUrlIsRefusedWithoutBeingShown(String url) {
        assertThatThrownBy(() -> WebhookAlertSender.discord(url).build())
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(WebhookAlertSenderTest::assertKeepsTheSecret);
    }

    @Test
    void theUrlIsNotShown() {
        try (WebhookAlertSender sender =
                WebhookAlertSender.discord("https://discord.com" + SECRET).build()) {
            assertThat(sender.toString())
                    .startsWith("WebhookAlertSender[HttpPublisher[https://discord.com")
                    .doesNotContain("s3cr3t", "webhooks");
        }
    }

    private static WebhookAlertSender to(WebhookAlertSender.Builder builder, Receiver receiver) {
        return builder.allowPlaintext(true)
                .allowPort(receiver.port())
                .allowAddresses("127.0.0.0/8")
                .build();
    }
}
