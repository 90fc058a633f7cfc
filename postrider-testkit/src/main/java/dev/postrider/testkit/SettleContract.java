package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An outcome is written once, by the claim that holds the row. */
interface SettleContract extends StoreSteps {

    @Test
    @Tag("R0.3")
    @Tag("R2.6")
    default void aDeliveredMessageIsDoneAndItsErrorIsForgotten() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        settle(Settlement.retry(claimOne("a"), Duration.ZERO, "broken", false));

        int written = settle(Settlement.delivered(awaitWaiting("a")));

        StoredMessage stored = stored(message);
        assertThat(written).isEqualTo(1);
        assertThat(stored.status()).isEqualTo(MessageStatus.DELIVERED);
        assertThat(stored.error()).isEmpty();
        assertThat(stored.attempts()).isEqualTo(2);
        assertThat(stored.times().delivered()).isNotNull();
        assertThat(stored.times().died()).isNull();
        assertThat(stored.times().due()).isNull();
        assertThat(claim("a")).isEmpty();
        assertThat(claimWaiting("a")).isEmpty();
    }

    @Test
    @Tag("R1.13")
    default void aRetryWaitsForItsTimeAndKeepsItsAttempt() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");

        int written = settle(Settlement.retry(claimOne("a"), LONG, "broken", false));

        StoredMessage stored = stored(message);
        assertThat(written).isEqualTo(1);
        assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
        assertThat(stored.attempts()).isEqualTo(1);
        assertThat(stored.lastError()).isEqualTo("broken");
        assertThat(stored.times().due()).isCloseTo(stored.times().updated().plus(LONG), within(1, ChronoUnit.SECONDS));
        assertThat(claim("a")).isEmpty();
        assertThat(claimWaiting("a")).isEmpty();
        assertThat(store().claimUnsharded("me", 10, LONG, 5, null)).isEmpty();
    }

    @Test
    @Tag("R1.13")
    default void aRetryIsClaimedWithItsNextAttemptWhenItsTimeHasCome() {
        enqueue(unkeyed());
        join("a");
        settle(Settlement.retry(claimOne("a"), SHORT, "broken", false));

        ClaimedMessage again = awaitWaiting("a");

        assertThat(again.attempt()).isEqualTo(2);
        assertThat(again.lostClaims()).isZero();
        assertThat(again.held()).isFalse();
    }

    @Test
    @Tag("R0.3")
    @Tag("R1.15")
    default void aDeadMessageWaitsForAPerson() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");

        int written = settle(Settlement.dead(claimOne("a"), "never", false));

        StoredMessage stored = stored(message);
        assertThat(written).isEqualTo(1);
        assertThat(stored.status()).isEqualTo(MessageStatus.DEAD);
        assertThat(stored.attempts()).isEqualTo(1);
        assertThat(stored.lastError()).isEqualTo("never");
        assertThat(stored.times().died()).isNotNull();
        assertThat(stored.times().delivered()).isNull();
        assertThat(claim("a")).isEmpty();
        assertThat(claimWaiting("a")).isEmpty();
        assertThat(store().claimUnsharded("me", 10, LONG, 5, null)).isEmpty();
    }

    @Test
    @Tag("R1.16")
    default void aReleasedMessageGetsItsAttemptBackAndIsClaimableAtOnce() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");

        int written = settle(Settlement.released(claimOne("a")));

        StoredMessage stored = stored(message);
        assertThat(written).isEqualTo(1);
        assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
        assertThat(stored.attempts()).isZero();
        ClaimedMessage again = claimOne("a");
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(again.lostClaims()).isZero();
    }

    @Test
    default void aReleasedRetryIsStillDueAndStillHoldsItsKey() {
        enqueue(keyed("42"));
        join("a");
        settle(Settlement.retry(claimOne("a"), Duration.ZERO, "broken", true));

        settle(Settlement.released(awaitWaiting("a")));

        assertThat(claim("a")).isEmpty();
        ClaimedMessage again = awaitWaiting("a");
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(again.held()).isTrue();
    }

    @Test
    @Tag("R1.10")
    default void aSettledClaimCannotBeSettledAgain() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        ClaimedMessage claimed = claimOne("a");
        settle(Settlement.delivered(claimed));

        assertThat(settle(Settlement.dead(claimed, "late", true))).isZero();
        assertThat(settle(Settlement.delivered(claimed))).isZero();
        assertThat(store().extend(List.of(claimed), LONG)).isZero();
        assertThat(stored(message).status()).isEqualTo(MessageStatus.DELIVERED);
    }

    @Test
    @Tag("R1.10")
    @Tag("R4.9")
    default void aLostClaimChangesNoRow() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        ClaimedMessage lost = claimOne("a");
        takeOver("a", "b");
        claimOne("b");
        StoredMessage before = stored(message);

        assertThat(settle(Settlement.delivered(lost))).isZero();
        assertThat(settle(Settlement.retry(lost, LONG, "late", true))).isZero();
        assertThat(settle(Settlement.dead(lost, "late", true))).isZero();
        assertThat(settle(Settlement.released(lost))).isZero();
        assertThat(settle(Settlement.behind(lost))).isZero();

        assertThat(stored(message)).usingRecursiveComparison().isEqualTo(before);
    }

    @Test
    default void aLateOutcomeIsWrittenAsLongAsNobodyElseHasClaimed() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        ClaimedMessage late = claim(request("a", PLENTY, SHORT)).get(0);

        advance(SHORT.multipliedBy(2));

        assertThat(settle(Settlement.delivered(late))).isEqualTo(1);
        assertThat(stored(message).status()).isEqualTo(MessageStatus.DELIVERED);
    }

    @Test
    @Tag("R1.10")
    default void outcomesOfEveryKindAreWrittenTogetherAndLostOnesAreLeftOut() {
        OutboxMessage delivered = keyed("1");
        OutboxMessage retried = keyed("2");
        OutboxMessage dead = keyed("3");
        OutboxMessage released = keyed("4");
        OutboxMessage settledBefore = keyed("5");
        enqueue(delivered, retried, dead, released, settledBefore);
        join("a");
        List<ClaimedMessage> claimed = claim("a");
        settle(Settlement.dead(claimed.get(4), "first", false));

        int written = settle(
                Settlement.delivered(claimed.get(4)),
                Settlement.delivered(claimed.get(0)),
                Settlement.retry(claimed.get(1), LONG, "broken", true),
                Settlement.dead(claimed.get(2), "never", true),
                Settlement.released(claimed.get(3)));

        assertThat(written).isEqualTo(4);
        assertThat(stored(delivered).status()).isEqualTo(MessageStatus.DELIVERED);
        assertThat(stored(retried).lastError()).isEqualTo("broken");
        assertThat(stored(dead).status()).isEqualTo(MessageStatus.DEAD);
        assertThat(stored(released).attempts()).isZero();
        assertThat(stored(settledBefore).lastError()).isEqualTo("first");
    }

    @Test
    default void settlingNothingWritesNothing() {
        assertThat(store().settle(List.of())).isZero();
        assertThat(store().extend(List.of(), LONG)).isZero();
    }

    @Test
    default void anErrorOfAnyLengthAndScriptIsKeptOrCutButNeverRefused() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        String error = "größe 🐎 \u0000 " + "x".repeat(20_000);

        int written = settle(Settlement.dead(claimOne("a"), error, false));

        assertThat(written).isEqualTo(1);
        assertThat(stored(message).lastError()).startsWith("größe 🐎");
    }

    @Test
    default void anExtendedClaimIsNotLost() {
        enqueue(unkeyed());
        join("a");
        List<ClaimedMessage> claimed = claim(request("a", PLENTY, SHORT));

        int extended = store().extend(claimed, LONG);

        advance(SHORT.multipliedBy(2));
        assertThat(extended).isEqualTo(1);
        assertThat(claim("a")).isEmpty();
        assertThat(settle(Settlement.delivered(claimed.get(0)))).isEqualTo(1);
    }

    @Test
    @Tag("R1.10")
    default void aLostClaimIsNotExtended() {
        enqueue(keyed("1"), keyed("2"));
        join("a");
        List<ClaimedMessage> claimed = claim("a");
        settle(Settlement.delivered(claimed.get(0)));

        assertThat(store().extend(claimed, LONG)).isEqualTo(1);
        takeOver("a", "b");
        claim("b");
        assertThat(store().extend(claimed, LONG)).isZero();
    }

    @Test
    default void aTrialThatIsLostIsRemembered() {
        enqueue(unkeyed());
        join("a");

        boolean begun = store().beginTrial(claimOne("a"));

        takeOver("a", "b");
        ClaimedMessage again = claimOne("b");
        assertThat(begun).isTrue();
        assertThat(again.onTrial()).isTrue();
        assertThat(again.lostClaims()).isEqualTo(1);
    }

    @Test
    default void aLostClaimOutsideATrialIsNotATrial() {
        enqueue(unkeyed());
        join("a");
        claimOne("a");

        takeOver("a", "b");

        assertThat(claimOne("b").onTrial()).isFalse();
    }

    @Test
    @Tag("R1.10")
    default void aLostClaimCannotBeginATrial() {
        enqueue(unkeyed());
        join("a");
        ClaimedMessage lost = claimOne("a");
        takeOver("a", "b");
        claimOne("b");

        assertThat(store().beginTrial(lost)).isFalse();

        takeOver("b", "c");
        assertThat(claimOne("c").onTrial()).isFalse();
    }

    @Test
    default void aReleasedMessageKeepsItsLostClaimsAndItsLostTrial() {
        enqueue(unkeyed());
        join("a");
        store().beginTrial(claimOne("a"));
        takeOver("a", "b");

        settle(Settlement.released(claimOne("b")));

        ClaimedMessage again = claimOne("b");
        assertThat(again.lostClaims()).isEqualTo(1);
        assertThat(again.onTrial()).isTrue();
    }

    @Test
    default void aMessageBehindAnotherKeepsItsLostClaims() {
        OutboxMessage behind = keyed("42");
        enqueue(keyed("42"), behind);
        join("a");
        claim("a");
        takeOver("a", "b");
        List<ClaimedMessage> claimed = claim("b");

        settle(Settlement.retry(claimed.get(0), Duration.ZERO, "broken", true), Settlement.behind(claimed.get(1)));
        settle(Settlement.delivered(awaitWaiting("b")));

        ClaimedMessage promoted = awaitWaiting("b");
        assertThat(promoted.message().id()).isEqualTo(behind.id());
        assertThat(promoted.lostClaims()).isEqualTo(1);
        assertThat(promoted.onTrial()).isFalse();
    }

    @Test
    default void aTrialThatWasSurvivedIsForgottenWithTheRelease() {
        enqueue(unkeyed());
        join("a");
        ClaimedMessage claimed = claimOne("a");
        store().beginTrial(claimed);
        settle(Settlement.released(claimed));
        claimOne("a");

        takeOver("a", "b");

        assertThat(claimOne("b").onTrial()).isFalse();
    }

    @Test
    default void aDeliveryForgetsLostClaimsAndTrials() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        store().beginTrial(claimOne("a"));
        takeOver("a", "b");
        settle(Settlement.delivered(claimOne("b")));

        admin().replay(List.of(message.id()), DECISION);

        ClaimedMessage replayed = awaitWaiting("b");
        assertThat(replayed.lostClaims()).isZero();
        assertThat(replayed.onTrial()).isFalse();
    }
}
