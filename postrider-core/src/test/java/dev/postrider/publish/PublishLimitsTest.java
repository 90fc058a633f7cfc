package dev.postrider.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which values the settings of publishers may have, and what a routing tells of its publishers. */
final class PublishLimitsTest {

    @Test
    void settingsOfHandlersAreTakenUpToTheirLimits() {
        HandlerPublisher.Builder builder = HandlerPublisher.builder()
                .threads(1)
                .threads(1_000)
                .maxWait(Duration.ofNanos(1))
                .slowAfter(Duration.ofNanos(1))
                .closeTimeout(Duration.ZERO)
                .rejectIf(exception -> false)
                .unavailableIf(exception -> false)
                .exceptionMessages(true)
                .handler("orders", delivery -> {});

        builder.build().close();
        refused(() -> builder.threads(1_001), "threads");
        refused(() -> builder.threads(0), "threads");
        refused(() -> builder.closeTimeout(Duration.ofNanos(-1)), "closeTimeout");
    }

    @Test
    void firstAttemptOfADeliveryIsNumberOne() {
        OutboxMessage message = OutboxMessage.to("orders", "Placed").build();

        assertThat(new Delivery(message, 1, 1).attempt()).isEqualTo(1);
        refused(() -> new Delivery(message, 0, 1), "attempt");
    }

    @Test
    void patternsAreTakenUpToTheLengthOfATopic() {
        assertThat(TopicPattern.of("x".repeat(200))).isNotNull();
        refused(() -> TopicPattern.of("n", "x".repeat(201)), "topic");
        refused(() -> TopicPattern.of("n".repeat(201), "x"), "namespace");
    }

    @Test
    void onlyAnErrorOfTheMachineThatCannotBeSurvivedIsFatal() {
        assertThat(HandlerVerdict.isFatal(new OutOfMemoryError())).isTrue();
        assertThat(HandlerVerdict.isFatal(new StackOverflowError())).isFalse();
        assertThat(HandlerVerdict.isFatal(new AssertionError())).isFalse();
    }

    @Test
    void routingCountsTheRestartsOfEachPublisherOnce() {
        Restarted two = new Restarted(2, null);
        Restarted three = new Restarted(3, null);

        try (RoutingPublisher routing = RoutingPublisher.builder()
                .route("a", two)
                .route("b", three)
                .route("c", two)
                .build()) {
            assertThat(routing.restarts()).isEqualTo(5);
        }
    }

    @Test
    void errorThatTwoPublishersThrowWhenTheyAreClosedIsThrownOnce() {
        RuntimeException same = new IllegalStateException("closed badly");
        RoutingPublisher routing = RoutingPublisher.builder()
                .route("a", new Restarted(0, same))
                .route("b", new Restarted(0, same))
                .build();

        Throwable thrown = catchThrowable(routing::close);

        assertThat(thrown).isSameAs(same);
        assertThat(thrown.getSuppressed()).isEmpty();
    }

    private static void refused(ThrowingCallable work, String what) {
        assertThatIllegalArgumentException().isThrownBy(work).withMessageContaining(what);
    }

    private record Restarted(long restarts, @Nullable RuntimeException failure) implements MessagePublisher {

        @Override
        public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {}

        @Override
        public void close() {
            if (failure != null) {
                throw failure;
            }
        }
    }
}
