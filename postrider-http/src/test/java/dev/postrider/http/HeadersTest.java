package dev.postrider.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request consists of, and what a hostile row cannot make of it. */
class HeadersTest {

    private static final UUID ID = UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057");

    private Receiver receiver;

    @BeforeEach
    void open() throws IOException {
        receiver = Receiver.responding(200);
    }

    @AfterEach
    void close() {
        receiver.close();
    }

    @Tag("R1.17")
    @Test
    void everythingAboutTheMessageArrives() {
        OutboxMessage message = OutboxMessage.to("orders", "Order Placed")
                .namespace("shop")
                .key("käse 100%")
                .tenant("acme")
                .dedupeKey("acme/1")
                .version(3)
                .header("Traceparent", "00-0af7-b7ad-01")
                .header("baggage", "user=J%C3%BCrgen;p=\"1\", x=2")
                .contentType("application/json; charset=utf-8")
                .payload("{}")
                .build();
        ClaimedMessage claimed = Answers.claimed(message);

        Received request = sent(claimed, builder -> builder.header("X-Env", "test"));

        assertThat(request.head()).startsWith("POST /hook HTTP/1.1\r\n");
        assertThat(request.headers())
                .containsEntry("host", "127.0.0.1:" + receiver.port())
                .containsEntry("content-type", "application/json; charset=utf-8")
                .containsEntry("content-length", "2")
                .containsEntry("idempotency-key", message.id().toString())
                .containsEntry("postrider-namespace", "shop")
                .containsEntry("postrider-topic", "orders")
                .containsEntry("postrider-type", "Order%20Placed")
                .containsEntry("postrider-version", "3")
                .containsEntry("postrider-seq", Long.toString(claimed.seq()))
                .containsEntry("postrider-tenant", "acme")
                .containsEntry("postrider-dedupe-key", "acme/1")
                .containsEntry("postrider-key", "k%C3%A4se%20100%25")
                .containsEntry("traceparent", "00-0af7-b7ad-01")
                .containsEntry("baggage", "user=J%C3%BCrgen;p=\"1\", x=2")
                .containsEntry("x-env", "test")
                .containsEntry("user-agent", "Postrider")
                .doesNotContainKeys("authorization", "cookie", "accept-encoding", "upgrade", "expect", "ce-id");
    }

    @Tag("B7")
    @Test
    void aCloudEventInBinaryModeHasItsAttributes() {
        OutboxMessage message = OutboxMessage.to("orders", "com.acme.\"Order\"")
                .id(ID)
                .key("Euro € 😀")
                .build();

        Received request = sent(
                Answers.claimed(message),
                builder -> builder.cloudEvents(URI.create("/shop")).method("PUT"));

        assertThat(request.head()).startsWith("PUT /hook HTTP/1.1\r\n");
        assertThat(request.headers())
                .containsEntry("ce-specversion", "1.0")
                .containsEntry("ce-id", ID.toString())
                .containsEntry("ce-source", "/shop")
                .containsEntry("ce-type", "com.acme.%22Order%22")
                .containsEntry("ce-subject", "Euro%20%E2%82%AC%20%F0%9F%98%80")
                .containsEntry("ce-time", "2023-06-30T03:34:18.518Z")
                .containsEntry("content-type", "application/json");
    }

    @Test
    void credentialsAreAskedForEachTime() {
        AtomicInteger asked = new AtomicInteger();
        try (HttpPublisher publisher = receiver.publisher()
                .authorization(() -> "Bearer token-" + asked.incrementAndGet())
                .build()) {
            Answers.answer(publisher, Answers.message());
            Answers.answer(publisher, Answers.message());
        }

        assertThat(receiver.requests())
                .extracting(request -> request.header("authorization"))
                .containsExactly("Bearer token-1", "Bearer token-2");
    }

    @Test
    void withoutCredentialsMessagesWait() {
        try (HttpPublisher failing = receiver.publisher()
                        .authorization(() -> {
                            throw new IllegalArgumentException("s3cret");
                        })
                        .build();
                HttpPublisher forging = receiver.publisher()
                        .authorization(() -> "s3cret\r\nX: y")
                        .build()) {
            PublishResult failed = Answers.answer(failing, Answers.message());
            PublishResult forged = Answers.answer(forging, Answers.message());

            assertThat(failed.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(failed.error()).contains("IllegalArgumentException").doesNotContain("s3cret");
            assertThat(forged.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(forged.error()).doesNotContain("s3cret");
            assertThat(receiver.requests()).isEmpty();
        }
    }

    @Test
    void nothingShowsAPathOrASecret() {
        try (HttpPublisher publisher = receiver.publisher("/s3cret?token=s3cret")
                .authorization(() -> "s3cret")
                .build()) {
            assertThat(publisher).hasToString("HttpPublisher[http://127.0.0.1:%d]".formatted(receiver.port()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "Content-Length",
                "content-type",
                "Connection",
                "Transfer-Encoding",
                "TE",
                "Trailer",
                "Upgrade",
                "Keep-Alive",
                "Expect",
                "HTTP2-Settings",
                "Proxy-Authorization",
                "Proxy-Connection",
                "Authorization",
                "Cookie",
                "Idempotency-Key",
                "postrider-seq",
                "ce-id",
                "webhook-signature",
                "x-fixed",
                "two words",
                "colon:",
                "line\r\nX-Evil: 1",
                "ümlaut",
                "",
            })
    void aHeaderThatIsNotForTheMessageToSetRejectsIt(String name) {
        OutboxMessage message = row().header(name, "value").restore();
        UnaryOperator<HttpPublisherBuilder> everything = builder -> builder.header("X-Fixed", "1")
                .cloudEvents(URI.create("/shop"))
                .signWith("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        try (HttpPublisher publisher = everything.apply(receiver.publisher()).build();
                HttpPublisher skipping =
                        everything.apply(receiver.publisher()).skipHeaders(name).build()) {
            PublishResult rejected = Answers.answer(publisher, message);

            assertThat(rejected.kind()).isEqualTo(Kind.REJECTED);
            assertThat(rejected.error()).contains("header").doesNotContain("\r").doesNotContain("value");
            assertThat(receiver.requests()).isEmpty();
            assertThat(Answers.answer(skipping, message)).isEqualTo(PublishResult.acked());
            assertThat(receiver.requests()).hasSize(1);
        }
    }

    @Test
    void aHeaderThatIsThereTwiceRejectsTheMessage() {
        OutboxMessage message = row().header("a", "1").header("A", "2").restore();
        try (HttpPublisher publisher = receiver.publisher().build()) {
            assertThat(Answers.answer(publisher, message).kind()).isEqualTo(Kind.REJECTED);
            assertThat(receiver.requests()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\r\nX-Evil: 1",
                "a\nX-Evil: 1",
                "a\rX-Evil: 1",
                "\r\n\r\nPOST /evil HTTP/1.1",
                "a\u0000b",
                "a\u000bb\u000cc\td",
                "a\u0085b\u2028c",
                " padded ",
                "\ud800 alone",
                "嘊嘍X-Evil: 1",
            })
    void aHostileValueStaysAValue(String value) {
        OutboxMessage message = OutboxMessage.to(value, value)
                .id(ID)
                .namespace(value)
                .key(value)
                .tenant(value)
                .dedupeKey(value)
                .header("x-note", value)
                .contentType(value)
                .restore();

        Received request = sent(Answers.claimed(message), builder -> builder.cloudEvents(URI.create("/shop")));

        String original = new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        assertThat(request.headers()).doesNotContainKey("x-evil");
        assertThat(request.head().chars()).allMatch(c -> c == '\r' || c == '\n' || (c >= ' ' && c <= '~'));
        assertThat(decoded(request.header("x-note"))).isEqualTo(original);
        assertThat(decoded(request.header("content-type"))).isEqualTo(original);
        assertThat(decoded(request.header("postrider-key"))).isEqualTo(original);
        assertThat(decoded(request.header("ce-subject"))).isEqualTo(original);
        assertThat(receiver.requests()).hasSize(1);
    }

    @Test
    void anyValueAtAllStaysAValue() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (HttpPublisher publisher =
                receiver.publisher("/{key}?t={topic}").maxConcurrent(1).build()) {
            for (int i = 0; i < 300; i++) {
                String value = anyText(random);
                OutboxMessage message = OutboxMessage.to(value, "x")
                        .id(ID)
                        .key(value)
                        .header("x-note", value)
                        .restore();

                assertThat(Answers.answer(publisher, message))
                        .as("seed %d", seed)
                        .isEqualTo(PublishResult.acked());

                Received request = receiver.requests().get(i);
                String encoded = HeaderText.percentEncoded(value);
                assertThat(request.target()).as("seed %d", seed).isEqualTo("/%s?t=%s".formatted(encoded, encoded));
                assertThat(decoded(request.header("postrider-key")))
                        .as("seed %d", seed)
                        .isEqualTo(value);
            }
        }
    }

    private static String anyText(Random random) {
        StringBuilder text = new StringBuilder("x");
        random.ints(20, 0, 0x300)
                .map(c -> random.nextInt(4) == 0 ? "\r\n :%\"/?#&.".charAt(c % 11) : c)
                .forEach(text::appendCodePoint);
        return text.toString();
    }

    private static OutboxMessage.Builder row() {
        return OutboxMessage.to("orders", "OrderPlaced").id(ID);
    }

    private static String decoded(String value) {
        return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private Received sent(ClaimedMessage claimed, UnaryOperator<HttpPublisherBuilder> options) {
        try (HttpPublisher publisher = options.apply(receiver.publisher()).build()) {
            assertThat(Answers.answer(publisher, claimed)).isEqualTo(PublishResult.acked());
        }
        assertThat(receiver.requests()).hasSize(1);
        return receiver.requests().get(0);
    }
}
