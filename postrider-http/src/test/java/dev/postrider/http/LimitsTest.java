package dev.postrider.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many requests are under way, how long they may take, and when the host is left alone. */
class LimitsTest {

    @Test
    void noMoreRequestsAreUnderWayThanAllowed() throws IOException {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Receiver.Behaviour counting = (request, connection) -> {
            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            release.await();
            underWay.decrementAndGet();
            connection.respond(200);
        };
        try (Receiver receiver = Receiver.that(counting);
                HttpPublisher publisher = receiver.publisher()
                        .maxConcurrent(3)
                        .timeout(Duration.ofMinutes(1))
                        .build()) {
            OutboxMessage[] messages =
                    IntStream.range(0, 20).mapToObj(i -> Answers.message()).toArray(OutboxMessage[]::new);
            Answers answers = Answers.publish(publisher, messages);
            await().atMost(Answers.PATIENCE).until(() -> underWay.get() == 3);

            release.countDown();

            assertThat(answers.await(20)).containsOnly(PublishResult.acked());
            assertThat(most).hasValue(3);
        }
    }

    @Test
    void aMessageThatWaitedTooLongIsNotSent() throws IOException {
        CountDownLatch release = new CountDownLatch(1);
        Receiver.Behaviour slow = (request, connection) -> {
            release.await();
            connection.respond(200);
        };
        try (Receiver receiver = Receiver.that(slow);
                HttpPublisher publisher = receiver.publisher()
                        .maxConcurrent(1)
                        .timeout(Duration.ofSeconds(10))
                        .build()) {
            Answers first = Answers.publish(publisher, Answers.message());
            await().atMost(Answers.PATIENCE).until(() -> receiver.requests().size() == 1);
            PublishResult second = Answers.answer(publisher, Answers.message());

            release.countDown();

            assertThat(second.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(second.error()).contains("busy").contains("not sent");
            first.await(1);
            Answers.answer(publisher, Answers.message());
            assertThat(receiver.requests()).hasSize(2);
        }
    }

    @Test
    void aHandshakeThatNeverEndsIsUnavailable() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                HttpPublisher publisher = HttpPublisher.builder("https://127.0.0.1:" + silent.getLocalPort())
                        .allowPort(silent.getLocalPort())
                        .allowHost("127.0.0.1")
                        .timeout(Duration.ofSeconds(1))
                        .build()) {
            PublishResult result = Answers.answer(publisher, Answers.message());

            assertThat(result.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(result.error()).contains("No connection");
        }
    }

    @Test
    void aNameServerThatHangsHoldsUpNobody() {
        CountDownLatch never = new CountDownLatch(1);
        try (HttpPublisher patient =
                        hanging(never).timeout(Duration.ofMinutes(5)).build();
                HttpPublisher publisher =
                        hanging(never).timeout(Duration.ofSeconds(1)).build()) {
            Answers waiting = Answers.publish(patient, Answers.message());

            PublishResult result = Answers.answer(publisher, Answers.message());

            assertThat(result.kind()).isEqualTo(Kind.UNAVAILABLE);
            // Had the caller been made to wait, there would be an answer by now.
            assertThat(waiting.count()).isZero();
        } finally {
            never.countDown();
        }
    }

    private static HttpPublisherBuilder hanging(CountDownLatch never) {
        HttpPublisherBuilder builder = HttpPublisher.builder("https://slow.example.com");
        builder.resolver = host -> {
            awaitQuietly(never);
            return List.of();
        };
        return builder;
    }

    @Test
    void aHostInTroubleIsLeftAloneUntilAProbeSucceeds() throws IOException {
        AtomicLong skipped = new AtomicLong();
        AtomicInteger status = new AtomicInteger(503);
        try (Receiver receiver = Receiver.that((request, connection) -> connection.respond(status.get()))) {
            HttpPublisherBuilder builder = receiver.publisher().circuit(3, Duration.ofHours(1), Duration.ofHours(8));
            builder.nanoTime = () -> System.nanoTime() + skipped.get();
            try (HttpPublisher publisher = builder.build()) {
                for (int i = 0; i < 3; i++) {
                    Answers.answer(publisher, Answers.message());
                }
                PublishResult refused = Answers.answer(publisher, Answers.message());

                assertThat(refused.kind()).isEqualTo(Kind.UNAVAILABLE);
                assertThat(refused.error()).contains("left alone").contains("HTTP 503");
                assertThat(refused.retryAfter()).isBetween(Duration.ofMinutes(20), Duration.ofHours(1));
                assertThat(receiver.requests()).hasSize(3);

                skipped.addAndGet(Duration.ofHours(1).toNanos());
                status.set(200);

                assertThat(Answers.answer(publisher, Answers.message())).isEqualTo(PublishResult.acked());
                assertThat(Answers.answer(publisher, Answers.message())).isEqualTo(PublishResult.acked());
                assertThat(receiver.requests()).hasSize(5);
            }
        }
    }

    @Test
    void aProbeWhoseTimeRanOutBeforehandDoesNotKeepTheHostLeftAlone() throws IOException {
        AtomicLong skipped = new AtomicLong();
        AtomicInteger status = new AtomicInteger(503);
        CountDownLatch credentials = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        try (Receiver receiver = Receiver.that((request, connection) -> connection.respond(status.get()))) {
            HttpPublisherBuilder builder = receiver.publisher()
                    .maxConcurrent(1)
                    .timeout(Duration.ofSeconds(2))
                    .circuit(1, Duration.ofHours(1), Duration.ofHours(1))
                    .authorization(() -> {
                        if (asked.incrementAndGet() == 2) {
                            awaitQuietly(credentials);
                        }
                        return "Bearer x";
                    });
            builder.nanoTime = () -> System.nanoTime() + skipped.get();
            try (HttpPublisher publisher = builder.build()) {
                Answers.answer(publisher, Answers.message());
                skipped.addAndGet(Duration.ofHours(1).toNanos());
                PublishResult tooLate = Answers.answer(publisher, Answers.message());
                status.set(200);

                credentials.countDown();

                assertThat(tooLate.kind()).isEqualTo(Kind.UNAVAILABLE);
                await().atMost(Answers.PATIENCE).until(() -> {
                    skipped.addAndGet(Duration.ofHours(1).toNanos());
                    return Answers.answer(publisher, Answers.message()).equals(PublishResult.acked());
                });
            }
        }
    }

    @Test
    void aPathThatIsMissingSaysNothingAboutTheHost() throws IOException {
        try (Receiver receiver = Receiver.responding(404);
                HttpPublisher publisher = receiver.publisher()
                        .circuit(1, Duration.ofHours(1), Duration.ofHours(1))
                        .build()) {
            Answers.answer(publisher, Answers.message());
            PublishResult second = Answers.answer(publisher, Answers.message());

            assertThat(second.error()).contains("HTTP 404").contains("correct the endpoint");
            assertThat(receiver.requests()).hasSize(2);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
