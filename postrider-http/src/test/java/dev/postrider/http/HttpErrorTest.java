package dev.postrider.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.spi.PublishResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A publisher after an Error of the application's or the relay's code that runs on its threads. */
class HttpErrorTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    @Test
    void errorOfTheSupplierOfTheAuthorizationIsAnsweredAtOnce() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        try (Receiver receiver = Receiver.that((request, connection) -> connection.respond(200));
                HttpPublisher publisher = receiver.publisher()
                        .timeout(LONG)
                        .authorization(() -> {
                            if (asked.incrementAndGet() == 1) {
                                throw new NoClassDefFoundError("com/example/Vault");
                            }
                            return "Bearer token";
                        })
                        .build()) {
            PublishResult first = Answers.answer(publisher, Answers.claimed(Answers.message()));
            PublishResult second = Answers.answer(publisher, Answers.claimed(Answers.message()));

            assertThat(first.kind()).isEqualTo(PublishResult.Kind.UNAVAILABLE);
            assertThat(first.error()).contains("NoClassDefFoundError");
            assertThat(second).isEqualTo(PublishResult.acked());
            assertThat(publisher.restarts()).isZero();
        }
    }

    @Test
    void workerThatEndsByAnErrorIsReplacedAndCounted() throws IOException {
        try (Receiver receiver = Receiver.that((request, connection) -> connection.respond(200));
                HttpPublisher publisher = receiver.publisher().build()) {
            publisher.publish(List.of(Answers.claimed(Answers.message())), (claimed, result) -> {
                // What is thrown on would otherwise end the JVM of the tests.
                Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
                throw new OutOfMemoryError("pretended");
            });
            await().atMost(LONG).until(() -> publisher.restarts() == 1);

            assertThat(Answers.answer(publisher, Answers.claimed(Answers.message())))
                    .isEqualTo(PublishResult.acked());
        }
    }
}
