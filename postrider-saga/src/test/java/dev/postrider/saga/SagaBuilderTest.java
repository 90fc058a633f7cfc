package dev.postrider.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postrider.OutboxMessage;
import dev.postrider.retry.RetryPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the builders of sagas, steps and commands hand on. */
final class SagaBuilderTest {

    @Test
    void durableSagaHasTheOptionsThatWereSet() {
        Blueprint<String> blueprint = Saga.define("s", String.class)
                .durable()
                .version(7)
                .codec(TextCodec.INSTANCE)
                .deadline(Duration.ofMinutes(3))
                .continueOnCompensationFailure()
                .pivot("p", step -> step.action((context, transaction) -> context))
                .retriable("r", step -> step.action((context, transaction) -> context))
                .step("n", step -> step.retriable().action((context, transaction) -> context))
                .build()
                .blueprint();

        assertThat(blueprint.id().version()).isEqualTo(7);
        assertThat(blueprint.deadline()).isEqualTo(Duration.ofMinutes(3));
        assertThat(blueprint.goOn()).isTrue();
        assertThat(blueprint.steps())
                .extracting(Step::role)
                .containsExactly(StepRole.PIVOT, StepRole.RETRIABLE, StepRole.RETRIABLE);
    }

    @Test
    void requestBehindThePivotCannotTurnBackOnSilence() {
        DurableSagaBuilder<String> saga = Saga.define("s", String.class)
                .codec(TextCodec.INSTANCE)
                .durable()
                .pivot("p", step -> step.action((context, transaction) -> context))
                .request(
                        "r",
                        step -> step.command(context -> Command.to("t", "do"))
                                .onReply("yes", (context, reply) -> context)
                                .replyWithin(Duration.ofSeconds(1), OnTimeout.COMPENSATE)
                                .retriable());

        assertThatIllegalArgumentException()
                .isThrownBy(saga::build)
                .withMessage("Step 'r' is RETRIABLE: without a reply it cannot COMPENSATE");
    }

    @Test
    void commandCarriesWhatWasSet() {
        OutboxMessage message = Command.to("topic", "Do")
                .namespace("shop")
                .key("k")
                .tenant("acme")
                .header("h", "v")
                .payload(new byte[] {1, 2}, "application/octet-stream")
                .message(new UUID(1, 2), Map.of("other", "w"));

        assertThat(message.namespace()).isEqualTo("shop");
        assertThat(message.key()).contains("k");
        assertThat(message.tenant()).contains("acme");
        assertThat(message.headers()).containsEntry("h", "v").containsEntry("other", "w");
        assertThat(message.payload()).containsExactly(1, 2);
        assertThat(message.contentType()).isEqualTo("application/octet-stream");
    }

    @Test
    void replyShowsItsPayload() {
        byte[] payload = "yes".getBytes(StandardCharsets.UTF_8);

        Reply reply = Reply.of("type", Map.of(SagaHeaders.IN_REPLY_TO, "id"), payload);

        assertThat(reply.payload()).isEqualTo(payload);
    }

    @Test
    void failureIsFinalIfAnyCauseIsOfAFinalType() {
        Blueprint<String> blueprint = Saga.define("s", String.class)
                .codec(TextCodec.INSTANCE)
                .step(
                        "a",
                        step -> step.action((context, transaction) -> context)
                                .failOn(IOException.class)
                                .compensate((context, transaction) -> {}))
                .build()
                .blueprint();
        StepRules rules = blueprint.step("a").orElseThrow().rules();

        assertThat(rules.isFinal(new IOException("gone"))).isTrue();
        assertThat(rules.isFinal(new UncheckedIOException(new IOException("gone"))))
                .isTrue();
        assertThat(rules.isFinal(new IllegalStateException("other"))).isFalse();
    }

    @Test
    void stepHasTheRulesThatWereSet() {
        RetryPolicy retry = RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofSeconds(2), 3);
        RetryPolicy undo = RetryPolicy.exponential(Duration.ofSeconds(4), Duration.ofSeconds(5), 6);
        Blueprint<String> blueprint = Saga.define("s", String.class)
                .codec(TextCodec.INSTANCE)
                .step(
                        "a",
                        step -> step.action((context, transaction) -> context)
                                .compensationRetry(undo)
                                .after()
                                .retry(retry)
                                .compensate((context, transaction) -> {}))
                .external(
                        "e",
                        step -> step.verify((context, call) -> Optional.of("happened"))
                                .call((context, call) -> context)
                                .pivot())
                .retriable("r", step -> step.action((context, transaction) -> context))
                .build()
                .blueprint();

        StepRules rules = blueprint.step("a").orElseThrow().rules();
        assertThat(rules.retry()).isEqualTo(retry);
        assertThat(rules.compensationRetry()).isEqualTo(undo);
        assertThat(blueprint.step("e").orElseThrow().rules().retry().maxAttempts())
                .isEqualTo(8);
        assertThat(blueprint.step("r").orElseThrow().rules().retry()).isEqualTo(RetryPolicy.defaults());
        assertThat(blueprint.step("e").orElseThrow().after()).containsExactly("a");
    }

    @Test
    void versionsAndBusinessKeysAreTakenUpToTheirLimits() {
        LocalSagaBuilder<String> saga = Saga.define("s", String.class);

        assertThat(saga.version(1)).isSameAs(saga);
        assertThatIllegalArgumentException().isThrownBy(() -> saga.version(0)).withMessageContaining("version");
        assertThat(SagaNames.key("k".repeat(200))).hasSize(200);
        assertThatIllegalArgumentException().isThrownBy(() -> SagaNames.key("k".repeat(201)));
        assertThatIllegalArgumentException().isThrownBy(() -> SagaNames.key(""));
    }
}
