package dev.postrider.publish;

import static dev.postrider.publish.Answers.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerPublisherTest {

    private final Answers answers = new Answers();
    private final CountDownLatch release = new CountDownLatch(1);
    private @Nullable HandlerPublisher open;

    @AfterEach
    void close() {
        release.countDown();
        if (open != null) {
            open.close();
        }
    }

    @Test
    void aHandlerIsGivenTheMessageItsAttemptAndItsPlace() {
        AtomicReference<Delivery> given = new AtomicReference<>();
        HandlerPublisher publisher = use(HandlerPublisher.of("orders", given::set));
        ClaimedMessage second = Answers.again(message("42"));

        publisher.publish(List.of(second), answers);

        assertThat(answers.awaitFor(second)).isEqualTo(PublishResult.acked());
        assertThat(given.get()).isEqualTo(new Delivery(second.message(), 2, second.seq()));
    }

    @Test
    void everyTopicGoesToItsHandler() {
        ConcurrentLinkedQueue<String> handled = new ConcurrentLinkedQueue<>();
        HandlerPublisher publisher = use(HandlerPublisher.builder()
                .handler("orders", delivery -> handled.add("orders"))
                .handler(TopicPattern.of("billing/*"), delivery -> handled.add("billing"))
                .build());
        ClaimedMessage billing = Answers.claimed(
                OutboxMessage.to("orders", "Paid").namespace("billing").build());
        ClaimedMessage orders = message("42");

        publisher.publish(List.of(billing, orders), answers);

        answers.awaitFor(billing);
        answers.awaitFor(orders);
        assertThat(handled).containsExactlyInAnyOrder("orders", "billing");
    }

    @Test
    void aTopicWithoutAHandlerIsUnavailableAndNamed() {
        HandlerPublisher publisher = use(HandlerPublisher.of("orders", delivery -> {}));
        ClaimedMessage lost = Answers.claimed(
                OutboxMessage.to("invoices", "Paid").namespace("billing").build());

        publisher.publish(List.of(lost), answers);

        assertThat(answers.awaitFor(lost).kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(answers.awaitFor(lost).error()).contains("No handler for topic billing/invoices");
    }

    private record Case(Throwable thrown, Kind kind, String error) {}

    private static Stream<Case> exceptions() {
        return Stream.of(
                new Case(new RejectedMessageException("unknown order"), Kind.REJECTED, "unknown order"),
                new Case(new UnsupportedOperationException("v3"), Kind.REJECTED, "UnsupportedOperationException: v3"),
                new Case(new ConnectException("refused"), Kind.UNAVAILABLE, "java.net.ConnectException: refused"),
                new Case(new IllegalStateException("later"), Kind.FAILED, "java.lang.IllegalStateException: later"),
                new Case(new IOException("disk full"), Kind.FAILED, "java.io.IOException: disk full"),
                new Case(new InterruptedException("by a library"), Kind.FAILED, "InterruptedException"),
                new Case(new StackOverflowError(), Kind.FAILED, "java.lang.StackOverflowError"),
                new Case(new NoClassDefFoundError("a/B"), Kind.FAILED, "java.lang.NoClassDefFoundError: a/B"),
                new Case(new AssertionError("never"), Kind.FAILED, "java.lang.AssertionError: never"),
                new Case(new OutOfMemoryError("pretended"), Kind.FAILED, "java.lang.OutOfMemoryError: pretended"),
                new Case(new InternalError("pretended"), Kind.FAILED, "java.lang.InternalError: pretended"));
    }

    @ParameterizedTest
    @MethodSource("exceptions")
    void anExceptionMeansWhatItsTypeSays(Case trouble) {
        HandlerPublisher publisher = use(HandlerPublisher.builder()
                .threads(1)
                .rejectIf(UnsupportedOperationException.class::isInstance)
                .unavailableIf(ConnectException.class::isInstance)
                .handler("orders", delivery -> {
                    // What is thrown on would otherwise end the JVM of the tests.
                    Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
                    if (delivery.attempt() == 1) {
                        if (trouble.thrown() instanceof Error error) {
                            throw error;
                        }
                        throw (Exception) trouble.thrown();
                    }
                })
                .build());
        ClaimedMessage first = message("42");
        ClaimedMessage next = Answers.again(first);

        publisher.publish(List.of(first), answers);
        publisher.publish(List.of(next), answers);

        assertThat(answers.awaitFor(first).kind()).isEqualTo(trouble.kind());
        assertThat(answers.awaitFor(first).error()).contains(trouble.error());
        assertThat(answers.awaitFor(next)).as("the lane and its thread go on").isEqualTo(PublishResult.acked());
    }

    @Test
    void anErrorOfTheMachineIsNotHiddenFromTheApplication() {
        AtomicReference<Throwable> seen = new AtomicReference<>();
        HandlerPublisher publisher = use(HandlerPublisher.of("orders", delivery -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> seen.set(error));
            throw new OutOfMemoryError("pretended");
        }));
        ClaimedMessage message = message("42");

        publisher.publish(List.of(message), answers);

        assertThat(answers.awaitKind(message)).isEqualTo(Kind.FAILED);
        await(() -> seen.get() instanceof OutOfMemoryError);
        assertThat(publisher.restarts()).isEqualTo(1);
    }

    @Test
    void theTextsOfExceptionsCanBeLeftOut() {
        HandlerPublisher publisher = use(HandlerPublisher.builder()
                .exceptionMessages(false)
                .handler("orders", delivery -> {
                    throw new IllegalStateException("card 4111 1111 1111 1111");
                })
                .build());
        ClaimedMessage message = message("42");

        publisher.publish(List.of(message), answers);

        assertThat(answers.awaitFor(message)).isEqualTo(PublishResult.failed("java.lang.IllegalStateException"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("R0.6")
    void theFailureIsTheCauseAndWhereTheApplicationThrewIt(boolean texts) {
        HandlerPublisher publisher = use(HandlerPublisher.builder()
                .exceptionMessages(texts)
                .rejectIf(RuntimeException.class::isInstance)
                .handler("orders", delivery -> {
                    IOException cause = new IOException("order 42");
                    cause.setStackTrace(new StackTraceElement[] {
                        new StackTraceElement("java.nio.Files", "read", null, 1),
                        new StackTraceElement("com.acme.Orders", "load", null, 2)
                    });
                    throw delivery.attempt() == 1 ? new UncheckedIOException(cause) : new ExecutionException(cause);
                })
                .build());
        ClaimedMessage rejected = message("42");
        ClaimedMessage failed = Answers.again(message("43"));

        publisher.publish(List.of(rejected, failed), answers);

        assertThat(answers.awaitFor(rejected).kind()).isEqualTo(Kind.REJECTED);
        assertThat(answers.awaitFor(rejected).failure()).isEqualTo("java.io.IOException at com.acme.Orders.load");
        assertThat(answers.awaitFor(failed).kind()).isEqualTo(Kind.FAILED);
        assertThat(answers.awaitFor(failed).failure()).isEqualTo("java.io.IOException at com.acme.Orders.load");
    }

    @Test
    void aRuleThatThrowsIsAFailureOfTheMessage() {
        HandlerPublisher publisher = use(HandlerPublisher.builder()
                .rejectIf(exception -> {
                    throw new IllegalArgumentException("the rule is broken");
                })
                .handler("orders", delivery -> {
                    throw new IOException("disk full");
                })
                .build());
        ClaimedMessage message = message("42");

        publisher.publish(List.of(message), answers);

        assertThat(answers.awaitFor(message).kind()).isEqualTo(Kind.FAILED);
        assertThat(answers.awaitFor(message).error())
                .contains("java.io.IOException", "java.lang.IllegalArgumentException");
    }

    @Test
    void anAnswerNobodyTakesDoesNotHoldUpTheLane() {
        HandlerPublisher publisher = use(HandlerPublisher.builder()
                .threads(1)
                .handler("orders", delivery -> {})
                .build());
        ClaimedMessage next = message("42");

        publisher.publish(List.of(message("42")), (claimed, result) -> {
            throw new IllegalStateException("Nobody is listening");
        });
        publisher.publish(List.of(next), answers);

        assertThat(answers.awaitFor(next)).isEqualTo(PublishResult.acked());
    }

    @Test
    void anInterruptLeftBehindDoesNotReachTheNextMessage() {
        HandlerPublisher publisher = use(HandlerPublisher.builder()
                .threads(1)
                .handler("orders", delivery -> {
                    if (Thread.interrupted()) {
                        throw new IllegalStateException("interrupted from the beginning");
                    }
                    Thread.currentThread().interrupt();
                })
                .build());
        List<ClaimedMessage> wave =
                IntStream.range(0, 5).mapToObj(i -> message("key-" + i)).toList();

        publisher.publish(wave, answers);

        assertThat(wave).allSatisfy(each -> assertThat(answers.awaitFor(each)).isEqualTo(PublishResult.acked()));
    }

    @Test
    void messagesThatNoThreadIsFreeForGoBackWithoutBlame() {
        HandlerPublisher publisher = use(HandlerPublisher.builder()
                .threads(2)
                .maxWait(Duration.ofSeconds(1))
                .handler("orders", this::hang)
                .build());
        List<ClaimedMessage> wave =
                IntStream.range(0, 50).mapToObj(i -> message("key-" + i)).toList();

        publisher.publish(wave, answers);

        await(() -> answers.count() == 48);
        assertThat(wave.subList(2, 50)).allSatisfy(each -> {
            assertThat(answers.awaitFor(each).kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(answers.awaitFor(each).error()).contains("No thread of 2 was free for default/orders");
        });
        release.countDown();
        assertThat(answers.awaitFor(wave.get(0))).isEqualTo(PublishResult.acked());
        assertThat(answers.awaitFor(wave.get(1))).isEqualTo(PublishResult.acked());
    }

    @Test
    void aHandlerThatHangsHoldsUpNoOtherHandler() {
        HandlerPublisher publisher = use(HandlerPublisher.builder()
                .threads(1)
                .handler("orders", this::hang)
                .handler("invoices", delivery -> {})
                .build());
        ClaimedMessage invoice =
                Answers.claimed(OutboxMessage.to("invoices", "Paid").build());

        publisher.publish(List.of(message("1"), message("2"), invoice), answers);

        assertThat(answers.awaitFor(invoice)).isEqualTo(PublishResult.acked());
    }

    @Test
    void handlersThatTakeLongAreCounted() {
        HandlerPublisher publisher = use(HandlerPublisher.builder()
                .slowAfter(Duration.ofMillis(20))
                .handler("orders", this::hang)
                .build());

        publisher.publish(List.of(message("1"), message("2"), message("2")), answers);

        await(() -> publisher.slowHandlers() == 2);
        release.countDown();
        await(() -> answers.count() == 3);
        await(() -> publisher.slowHandlers() == 0);
    }

    @Test
    void threadsAreNamedAndDoNotKeepTheJvmAlive() {
        AtomicReference<Thread> thread = new AtomicReference<>();
        HandlerPublisher publisher = use(HandlerPublisher.of("orders", delivery -> thread.set(Thread.currentThread())));
        ClaimedMessage message = message("42");

        publisher.publish(List.of(message), answers);

        answers.awaitFor(message);
        assertThat(thread.get()).extracting(Thread::getName).isEqualTo("outbox-handler-default/orders-1");
        assertThat(thread.get()).extracting(Thread::isDaemon).isEqualTo(true);
    }

    @Test
    void badOptionsAreRefusedByName() {
        HandlerPublisher.Builder builder = HandlerPublisher.builder();

        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining("at least one handler");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.threads(0))
                .withMessageContaining("threads must be between 1 and 1000 but was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxWait(Duration.ZERO))
                .withMessageContaining("maxWait must be positive but was PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.slowAfter(Duration.ZERO))
                .withMessageContaining("slowAfter");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.closeTimeout(Duration.ofSeconds(-1)))
                .withMessageContaining("closeTimeout must not be negative but was PT-1S");
        builder.handler("orders", delivery -> {});
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.handler("orders", delivery -> {}))
                .withMessageContaining("never reached");
    }

    private void hang(Delivery delivery) throws InterruptedException {
        release.await();
    }

    private HandlerPublisher use(HandlerPublisher publisher) {
        open = publisher;
        return publisher;
    }

    private static ClaimedMessage message(String key) {
        return Answers.claimed(OutboxMessage.to("orders", "Placed").key(key).build());
    }
}
