package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.OutboxMessage;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class VerdictTest {

    private static final Duration PLANNED = Duration.ofSeconds(10);

    private final RelayConfig config = new RelayConfig(relay());

    @Test
    void anAckedMessageIsDelivered() {
        ClaimedMessage claimed = claimed("42", 1);

        assertThat(Verdict.of(claimed, PublishResult.acked(), config)).isEqualTo(Settlement.delivered(claimed));
    }

    @Test
    void aRejectedMessageIsDeadAtItsFirstAttemptAndHoldsItsKey() {
        ClaimedMessage claimed = claimed("42", 1);

        assertThat(Verdict.of(claimed, PublishResult.rejected("too large"), config))
                .isEqualTo(Settlement.dead(claimed, "too large", true));
    }

    @Test
    void anUnavailableBrokerIsNoOutcome() {
        ClaimedMessage claimed = claimed("42", 1_000);
        PublishResult away = PublishResult.unavailable("away", Duration.ofHours(1));

        assertThatThrownBy(() -> Verdict.of(claimed, away, config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("An unreachable broker is no outcome");
    }

    @Test
    void aFailedMessageWaitsAsPlannedAndHoldsItsKey() {
        ClaimedMessage claimed = claimed("42", 1);

        assertThat(Verdict.of(claimed, PublishResult.failed("busy"), config))
                .isEqualTo(Settlement.retry(claimed, PLANNED, "busy", true));
    }

    @Test
    void aBrokerThatAsksForMoreTimeThanPlannedGetsIt() {
        Duration asked = PLANNED.plusMillis(1);

        assertThat(Verdict.of(claimed("42", 1), PublishResult.failed("busy", asked), config)
                        .delay())
                .isEqualTo(asked);
    }

    @Test
    void aBrokerThatAsksForLessTimeThanPlannedDoesNotShortenIt() {
        Duration asked = PLANNED.minusMillis(1);

        assertThat(Verdict.of(claimed("42", 1), PublishResult.failed("busy", asked), config)
                        .delay())
                .isEqualTo(PLANNED);
    }

    @Test
    @Tag("R3.4")
    void theLastAttemptThatFailsIsDeadHoweverLongTheBrokerAsks() {
        ClaimedMessage last = claimed("42", 3);

        assertThat(Verdict.of(last, PublishResult.failed("busy", Duration.ofHours(1)), config))
                .isEqualTo(Settlement.dead(last, "busy", true));
        assertThat(Verdict.of(claimed("42", 2), PublishResult.failed("busy"), config)
                        .outcome())
                .isEqualTo(Settlement.Outcome.RETRY);
    }

    @Test
    @Tag("R4.5")
    void aLimitOfTheMessageOverridesThatOfThePolicy() {
        OutboxMessage patient =
                OutboxMessage.to("orders", "Placed").maxAttempts(4).build();

        assertThat(Verdict.of(claimed(patient, 3), PublishResult.failed("busy"), config)
                        .outcome())
                .isEqualTo(Settlement.Outcome.RETRY);
        assertThat(Verdict.of(claimed(patient, 4), PublishResult.failed("busy"), config)
                        .outcome())
                .isEqualTo(Settlement.Outcome.DEAD);
    }

    @Test
    void aTopicMayHaveAPolicyOfItsOwn() {
        RelayConfig own = new RelayConfig(relay().retry(
                        new TopicName("default", "orders"), RetryPolicy.schedule(List.of(Duration.ofMinutes(5)))));

        assertThat(Verdict.of(claimed("42", 1), PublishResult.failed("busy"), own)
                        .delay())
                .isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void withoutAKeyOrWhereItMayGoOnNothingIsHeld() {
        RelayConfig parking = new RelayConfig(relay().keyPolicy(KeyPolicy.PARK_AND_CONTINUE));

        assertThat(Verdict.of(claimed((String) null, 1), PublishResult.failed("busy"), config)
                        .holdsKey())
                .isFalse();
        assertThat(Verdict.of(claimed("42", 1), PublishResult.failed("busy"), parking)
                        .holdsKey())
                .isFalse();
        assertThat(Verdict.of(claimed("42", 1), PublishResult.rejected("no"), parking)
                        .holdsKey())
                .isFalse();
    }

    private static RelayBuilder relay() {
        return UnusedStore.relay().retry(RetryPolicy.exponential(PLANNED, Duration.ofHours(1), 3));
    }

    private static ClaimedMessage claimed(@Nullable String key, int attempt) {
        return claimed(OutboxMessage.to("orders", "Placed").key(key).build(), attempt);
    }

    private static ClaimedMessage claimed(OutboxMessage message, int attempt) {
        return new ClaimedMessage(1, 77, "relay", 0, attempt, false, 0, false, null, message);
    }
}
