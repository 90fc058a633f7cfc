package dev.postrider.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RoutingPublisherTest {

    private final Answers answers = new Answers();
    private final Broker orders = new Broker();
    private final Broker billing = new Broker();

    @Test
    void aWaveIsSplitAndEachPartKeepsItsOrder() {
        MessagePublisher publisher = RoutingPublisher.builder()
                .route("orders", orders)
                .route("billing/*", billing)
                .build();
        List<ClaimedMessage> wave = IntStream.range(0, 40)
                .mapToObj(i -> i % 3 == 0 ? claimed("billing", "topic-" + i) : claimed("default", "orders"))
                .toList();

        publisher.publish(wave, answers);

        assertThat(orders.waves)
                .containsExactly(wave.stream()
                        .filter(each -> each.message().topic().equals("orders"))
                        .toList());
        assertThat(billing.waves)
                .containsExactly(wave.stream()
                        .filter(each -> each.message().namespace().equals("billing"))
                        .toList());
        assertThat(answers.count()).isEqualTo(wave.size());
    }

    @Test
    void twoRoutesToOnePublisherMakeOneWave() {
        MessagePublisher publisher = RoutingPublisher.builder()
                .route("a", orders)
                .route("b", billing)
                .route("c", orders)
                .build();

        publisher.publish(List.of(claimed("default", "a"), claimed("default", "c")), answers);

        assertThat(orders.waves).hasSize(1);
    }

    @Test
    void aTopicWithoutARouteIsUnavailableAndNamed() {
        MessagePublisher publisher =
                RoutingPublisher.builder().route("orders", orders).build();
        ClaimedMessage lost = claimed("billing", "orders");
        ClaimedMessage found = claimed("default", "orders");

        publisher.publish(List.of(lost, found), answers);

        assertThat(answers.awaitFor(lost).kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(answers.awaitFor(lost).error()).contains("billing/orders").contains("otherwise(publisher)");
        assertThat(answers.awaitFor(found)).isEqualTo(PublishResult.acked());
    }

    @Test
    void whatMatchesNoRouteGoesToTheOther() {
        MessagePublisher publisher = RoutingPublisher.builder()
                .otherwise(billing)
                .route("orders", orders)
                .build();

        publisher.publish(List.of(claimed("default", "orders"), claimed("any", "thing")), answers);

        assertThat(orders.waves).hasSize(1);
        assertThat(billing.waves)
                .singleElement()
                .satisfies(wave -> assertThat(wave.get(0).message().namespace()).isEqualTo("any"));
    }

    @Test
    void aPublisherThatThrowsAnswersOnlyForItsPart() {
        orders.thrown = new IllegalStateException("no connection\nforged line");
        MessagePublisher publisher = RoutingPublisher.builder()
                .route("orders", orders)
                .otherwise(billing)
                .build();
        ClaimedMessage hit = claimed("default", "orders");
        ClaimedMessage spared = claimed("default", "billing");

        publisher.publish(List.of(hit, spared), answers);

        assertThat(answers.awaitFor(hit))
                .isEqualTo(PublishResult.failed("java.lang.IllegalStateException: no connection forged line"));
        assertThat(answers.awaitFor(spared)).isEqualTo(PublishResult.acked());
    }

    @Test
    void anErrorIsAnsweredLikeAnException() {
        orders.thrown = new NoClassDefFoundError("driver/Missing");
        MessagePublisher publisher = RoutingPublisher.builder()
                .route("orders", orders)
                .otherwise(billing)
                .build();
        ClaimedMessage hit = claimed("default", "orders");
        ClaimedMessage spared = claimed("default", "billing");

        publisher.publish(List.of(hit, spared), answers);

        assertThat(answers.awaitFor(hit).error()).contains("NoClassDefFoundError", "driver/Missing");
        assertThat(answers.awaitFor(spared)).isEqualTo(PublishResult.acked());
    }

    @Test
    void aPartThatThrowsIsSentOneByOneAndOnlyTheOneThatThrowsHasFailed() {
        ClaimedMessage bad = claimed("default", "orders");
        ClaimedMessage good = claimed("default", "orders");
        MessagePublisher picky = (wave, told) -> {
            if (wave.contains(bad)) {
                throw new IllegalStateException("cannot be written");
            }
            wave.forEach(claimed -> told.answer(claimed, PublishResult.acked()));
        };
        MessagePublisher publisher = RoutingPublisher.builder().otherwise(picky).build();

        publisher.publish(List.of(bad, good), answers);

        assertThat(answers.awaitFor(bad))
                .isEqualTo(PublishResult.failed("java.lang.IllegalStateException: cannot be written"));
        assertThat(answers.awaitFor(good)).isEqualTo(PublishResult.acked());
    }

    @Test
    void aPublisherThatIsSlowToAnswerHoldsUpNoOther() {
        orders.silent = true;
        MessagePublisher publisher = RoutingPublisher.builder()
                .route("orders", orders)
                .otherwise(billing)
                .build();
        ClaimedMessage slow = claimed("default", "orders");
        ClaimedMessage quick = claimed("default", "billing");

        publisher.publish(List.of(slow, quick), answers);

        assertThat(answers.awaitFor(quick)).isEqualTo(PublishResult.acked());
        assertThat(answers.of(slow)).isEmpty();
        orders.answerLate(PublishResult.failed("at last", Duration.ofSeconds(3)));
        assertThat(answers.awaitFor(slow)).isEqualTo(PublishResult.failed("at last", Duration.ofSeconds(3)));
    }

    @Test
    void everyPublisherIsClosedOnceWhateverTheOthersThrow() {
        Broker third = new Broker();
        orders.thrownByClose = new IllegalStateException("first");
        third.thrownByClose = new IllegalStateException("second");
        MessagePublisher publisher = RoutingPublisher.builder()
                .route("a", orders)
                .route("b", billing)
                .route("c", orders)
                .otherwise(third)
                .build();

        assertThatThrownBy(publisher::close)
                .isSameAs(orders.thrownByClose)
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).containsExactly(third.thrownByClose));
        assertThatCode(publisher::close).doesNotThrowAnyException();

        assertThat(List.of(orders.closed, billing.closed, third.closed)).containsOnly(1);
    }

    @Test
    void afterTheCloseEverythingIsUnavailable() {
        MessagePublisher publisher =
                RoutingPublisher.builder().route("orders", orders).build();
        publisher.close();
        ClaimedMessage late = claimed("default", "orders");

        publisher.publish(List.of(late), answers);

        assertThat(answers.awaitKind(late)).isEqualTo(Kind.UNAVAILABLE);
        assertThat(orders.waves).isEmpty();
    }

    @Test
    void aRoutingWithoutARouteIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RoutingPublisher.builder().build())
                .withMessageContaining("at least one route");
    }

    @Test
    void aRouteBehindOneThatTakesAllIsRefused() {
        RoutingPublisher.Builder builder = RoutingPublisher.builder().route("billing/*", billing);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.route("billing/invoices", orders))
                .withMessageContaining("'billing/invoices' is never reached");
    }

    private static ClaimedMessage claimed(String namespace, String topic) {
        return Answers.claimed(
                OutboxMessage.to(topic, "Happened").namespace(namespace).build());
    }

    private static final class Broker implements MessagePublisher {

        private final List<List<ClaimedMessage>> waves = new ArrayList<>();
        private final List<Runnable> late = new ArrayList<>();
        private PublishResult lateResult = PublishResult.acked();
        private @Nullable Throwable thrown;
        private @Nullable RuntimeException thrownByClose;
        private boolean silent;
        private int closed;

        @Override
        public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
            if (thrown instanceof RuntimeException e) {
                throw e;
            }
            if (thrown instanceof Error e) {
                throw e;
            }
            waves.add(List.copyOf(wave));
            for (ClaimedMessage claimed : wave) {
                if (silent) {
                    late.add(() -> answers.answer(claimed, lateResult));
                } else {
                    answers.answer(claimed, PublishResult.acked());
                }
            }
        }

        private void answerLate(PublishResult result) {
            lateResult = result;
            late.forEach(Runnable::run);
        }

        @Override
        public void close() {
            closed++;
            if (thrownByClose != null) {
                throw thrownByClose;
            }
        }
    }
}
