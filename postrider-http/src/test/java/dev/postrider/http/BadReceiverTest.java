package dev.postrider.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a publisher makes of receivers that break off, hang, or never come to an end. */
class BadReceiverTest {

    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int FAR_ABOVE_THE_CAP = 32 * 1024 * 1024;

    @Tag("R1.17")
    @Test
    void aResponseThatWasLostLeadsToOneEffect() throws IOException {
        Set<String> effects = ConcurrentHashMap.newKeySet();
        AtomicInteger acted = new AtomicInteger();
        Receiver.Behaviour losingTheFirst = (request, connection) -> {
            if (effects.add(request.header("idempotency-key"))) {
                acted.incrementAndGet();
                connection.socket().close();
            } else {
                connection.respond(200);
            }
        };
        try (Receiver receiver = Receiver.that(losingTheFirst);
                HttpPublisher publisher = receiver.publisher().build()) {
            ClaimedMessage claimed = Answers.claimed(Answers.message());

            PublishResult first = Answers.answer(publisher, claimed);
            PublishResult second = Answers.answer(publisher, claimed);

            assertThat(first.kind()).isEqualTo(Kind.FAILED);
            assertThat(first.error()).contains("it may have acted");
            assertThat(second).isEqualTo(PublishResult.acked());
            assertThat(acted).hasValue(1);
            assertThat(receiver.requests()).hasSize(2);
            assertThat(receiver.requests().get(1).head())
                    .isEqualTo(receiver.requests().get(0).head());
            assertThat(receiver.requests().get(1).body())
                    .isEqualTo(receiver.requests().get(0).body());
        }
    }

    @Test
    void aHeadThatNeverEndsIsAFailure() throws IOException {
        CountDownLatch closed = new CountDownLatch(1);
        Receiver.Behaviour dripping = (request, connection) -> {
            connection.write("HTTP/1.1 200 OK\r\nX-Slow: ");
            try {
                while (true) {
                    connection.write("x");
                    closed.await(20, TimeUnit.MILLISECONDS);
                }
            } finally {
                closed.countDown();
            }
        };
        assertFailed(dripping, closed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 100 Continue\r\n\r\n", "nonsense\r\n"})
    void aFloodInsteadOfAHeadIsAFailure(String flood) throws IOException {
        CountDownLatch closed = new CountDownLatch(1);
        assertFailed(flooding("", flood, closed), closed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "X-A: b\r\n"})
    void aHeadThatIsTooLargeIsNotReadToItsEnd(String flood) throws IOException {
        CountDownLatch closed = new CountDownLatch(1);
        Receiver.Behaviour flooding = flooding("HTTP/1.1 200 OK\r\nX-Long: ", flood.repeat(1000), closed);
        try (Receiver receiver = Receiver.that(flooding);
                HttpPublisher publisher = receiver.publisher().timeout(LONG).build()) {
            PublishResult result = Answers.answer(publisher, Answers.message());

            assertThat(result.kind()).isEqualTo(Kind.FAILED);
            assertThat(result.error()).contains("broke off");
        }
    }

    private static Receiver.Behaviour flooding(String begin, String more, CountDownLatch closed) {
        return (request, connection) -> {
            try {
                connection.write(begin);
                connection.writeForEver(more);
            } finally {
                closed.countDown();
            }
        };
    }

    @Test
    void silenceIsAFailure() throws IOException {
        CountDownLatch closed = new CountDownLatch(1);
        assertFailed(
                (request, connection) -> {
                    try {
                        connection.awaitEnd();
                    } finally {
                        closed.countDown();
                    }
                },
                closed);
    }

    private static void assertFailed(Receiver.Behaviour behaviour, CountDownLatch closed) throws IOException {
        try (Receiver receiver = Receiver.that(behaviour);
                HttpPublisher publisher = receiver.publisher().timeout(SHORT).build()) {
            PublishResult result = Answers.answer(publisher, Answers.message());

            assertThat(result.kind()).isEqualTo(Kind.FAILED);
            assertThat(result.error()).contains("it may have acted");
            assertThat(closed.await(Answers.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("the connection was given up")
                    .isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 500})
    void theStatusDecidesWhateverTheBodyDoes(int status) throws IOException {
        CountDownLatch closed = new CountDownLatch(1);
        Receiver.Behaviour hanging = (request, connection) -> {
            connection.write("HTTP/1.1 %d Whatever\r\nContent-Length: 100\r\n\r\nfew bytes".formatted(status));
            try {
                connection.awaitEnd();
            } finally {
                closed.countDown();
            }
        };
        assertStatusDecides(status, hanging, closed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 999999999999", "Transfer-Encoding: chunked", "Connection: close"})
    void anEndlessBodyCostsTheConnectionOnly(String framing) throws IOException {
        CountDownLatch closed = new CountDownLatch(1);
        String piece = framing.contains("chunked") ? "400\r\n" + "x".repeat(1024) + "\r\n" : "x".repeat(1024);
        AtomicLong written = new AtomicLong();
        Receiver.Behaviour endless = (request, connection) -> {
            connection.write("HTTP/1.1 200 OK\r\n%s\r\n\r\n".formatted(framing));
            try {
                while (true) {
                    connection.write(piece);
                    written.addAndGet(piece.length());
                }
            } finally {
                closed.countDown();
            }
        };
        assertStatusDecides(200, endless, closed);
        // What was written and not read stands in the buffers of two sockets.
        assertThat(written.get()).isLessThan(FAR_ABOVE_THE_CAP);
    }

    @Test
    void aBombInTheBodyStaysPacked() throws IOException {
        CountDownLatch closed = new CountDownLatch(1);
        Receiver.Behaviour packed = (request, connection) -> {
            assertThat(request.headers()).doesNotContainKey("accept-encoding");
            connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nnogzi");
            closed.countDown();
        };
        assertStatusDecides(200, packed, closed);
    }

    private static void assertStatusDecides(int status, Receiver.Behaviour behaviour, CountDownLatch closed)
            throws IOException {
        try (Receiver receiver = Receiver.that(behaviour);
                HttpPublisher publisher = receiver.publisher().timeout(LONG).build()) {
            PublishResult result = Answers.answer(publisher, Answers.message());

            assertThat(result.kind()).isEqualTo(status == 200 ? Kind.ACKED : Kind.FAILED);
            assertThat(closed.await(Answers.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anEarlyAnswerToALargeBodyIsHeard() throws IOException {
        Receiver.Behaviour notReading = (request, connection) -> {
            connection.write("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            new CountDownLatch(1).await();
        };
        try (Receiver receiver = Receiver.that(notReading);
                HttpPublisher publisher =
                        receiver.publisher().header("x-leave-unread", "1").build()) {
            OutboxMessage large = OutboxMessage.to("orders", "Large")
                    .payload(new byte[12 * 1024 * 1024])
                    .build();

            PublishResult result = Answers.answer(publisher, large);

            assertThat(result.kind()).isEqualTo(Kind.REJECTED);
            assertThat(result.error()).contains("HTTP 413");
        }
    }

    @Test
    void aReceiverThatDoesNotReadIsAFailureToo() throws IOException {
        Receiver.Behaviour notReading = (request, connection) -> new CountDownLatch(1).await();
        try (Receiver receiver = Receiver.that(notReading);
                HttpPublisher publisher = receiver.publisher()
                        .header("x-leave-unread", "1")
                        .timeout(SHORT)
                        .build()) {
            OutboxMessage large = OutboxMessage.to("orders", "Large")
                    .payload(new byte[12 * 1024 * 1024])
                    .build();

            assertThat(Answers.answer(publisher, large).kind()).isEqualTo(Kind.FAILED);
        }
    }

    @Test
    void aShortAnswerKeepsTheConnection() throws IOException {
        try (Receiver receiver = Receiver.responding(200);
                HttpPublisher publisher = receiver.publisher().maxConcurrent(1).build()) {
            for (int i = 0; i < 10; i++) {
                assertThat(Answers.answer(publisher, Answers.message())).isEqualTo(PublishResult.acked());
            }

            assertThat(receiver.connections()).isEqualTo(1);
        }
    }

    @Test
    void aPortWhereNobodyListensIsUnavailable() throws IOException {
        int port;
        try (ServerSocket nobody = new ServerSocket(0)) {
            port = nobody.getLocalPort();
        }
        try (HttpPublisher publisher = HttpPublisher.builder("http://127.0.0.1:" + port)
                .allowPlaintext(true)
                .allowPort(port)
                .allowHost("127.0.0.1")
                .build()) {
            PublishResult result = Answers.answer(publisher, Answers.message());

            assertThat(result.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(result.error()).contains("Could not connect to http://127.0.0.1:" + port);
        }
    }
}
