package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an outcome makes of its row. */
interface SettleContract extends StoreSteps {

    @Test
    @Tag("R0.3")
    @Tag("R2.6")
    default void aDeliveredMessageIsDoneAndItsErrorIsForgotten() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        settle(Settlement.retry(fetchOne("a"), Duration.ZERO, "broken", false));

        int written = settle(Settlement.delivered(awaitDue("a")));

        StoredMessage stored = stored(message);
        assertThat(written).isEqualTo(1);
        assertThat(stored.status()).isEqualTo(MessageStatus.DELIVERED);
        assertThat(stored.error()).isEmpty();
        assertThat(stored.attempts()).isEqualTo(2);
        assertThat(stored.times().delivered()).isNotNull();
        assertThat(stored.times().died()).isNull();
        assertThat(stored.times().due()).isNull();
        assertThat(fetchAll("a")).isEmpty();
        assertThat(due("a")).isEmpty();
    }

    @Test
    @Tag("R1.13")
    default void aRetryWaitsForItsTimeAndKeepsItsAttempt() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");

        int written = settle(Settlement.retry(fetchOne("a"), LONG, "broken", false));

        StoredMessage stored = stored(message);
        assertThat(written).isEqualTo(1);
        assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
        assertThat(stored.attempts()).isEqualTo(1);
        assertThat(stored.lastError()).isEqualTo("broken");
        assertThat(stored.times().due()).isCloseTo(stored.times().updated().plus(LONG), within(1, ChronoUnit.SECONDS));
        assertThat(fetchAll("a")).isEmpty();
        assertThat(due("a")).isEmpty();
        assertThat(store().claimUnsharded("me", 10, LONG, 5, null)).isEmpty();
    }

    @Test
    @Tag("R1.13")
    default void aRetryIsFetchedWithItsNextAttemptWhenItsTimeHasCome() {
        enqueue(unkeyed());
        join("a");
        settle(Settlement.retry(fetchOne("a"), SHORT, "broken", false));

        ClaimedMessage again = awaitDue("a");

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

        int written = settle(Settlement.dead(fetchOne("a"), "never", false));

        StoredMessage stored = stored(message);
        assertThat(written).isEqualTo(1);
        assertThat(stored.status()).isEqualTo(MessageStatus.DEAD);
        assertThat(stored.attempts()).isEqualTo(1);
        assertThat(stored.lastError()).isEqualTo("never");
        assertThat(stored.times().died()).isNotNull();
        assertThat(stored.times().delivered()).isNull();
        assertThat(fetchAll("a")).isEmpty();
        assertThat(due("a")).isEmpty();
        assertThat(store().claimUnsharded("me", 10, LONG, 5, null)).isEmpty();
    }

    @Test
    @Tag("R1.16")
    default void aReleasedMessageKeepsItsAttemptsAndIsFetchedAtOnce() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        ClaimedMessage fetched = fetchOne("a");

        int written = settle(Settlement.released(fetched));
        end("a", List.of(fetched));

        StoredMessage stored = stored(message);
        assertThat(written).isEqualTo(1);
        assertThat(stored.status()).isEqualTo(MessageStatus.PENDING);
        assertThat(stored.attempts()).isZero();
        ClaimedMessage again = fetchOne("a");
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(again.lostClaims()).isZero();
    }

    @Test
    default void aReleasedRetryIsStillDueAndStillHoldsItsKey() {
        enqueue(keyed("42"));
        join("a");
        settle(Settlement.retry(fetchOne("a"), Duration.ZERO, "broken", true));

        settle(Settlement.released(awaitDue("a")));

        assertThat(fetchAll("a")).isEmpty();
        ClaimedMessage again = awaitDue("a");
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(again.held()).isTrue();
    }

    @Test
    default void anOutcomeWhoseRowIsLockedIsReturnedAndHoldsUpNoOther() {
        OutboxMessage locked = keyed("1");
        OutboxMessage free = keyed("2");
        OutboxMessage retried = keyed("3");
        enqueue(locked, free, retried);
        join("a");
        List<ClaimedMessage> fetched = fetchAll("a");
        Settlement waits = Settlement.delivered(fetched.get(0));
        Optional<OutboxTransaction> lock = lockRow(locked.id());
        Assumptions.assumeThat(lock).as("rows of this store can be locked").isPresent();
        Settled settled;
        try {
            settled = store().settle(List.of(
                    waits,
                    Settlement.delivered(fetched.get(1)),
                    Settlement.retry(fetched.get(2), LONG, "broken", false)));
        } finally {
            lock.ifPresent(OutboxTransaction::close);
        }

        assertThat(settled).isEqualTo(new Settled(2, List.of(waits)));
        assertThat(stored(free).status()).isEqualTo(MessageStatus.DELIVERED);
        assertThat(stored(retried).lastError()).isEqualTo("broken");
        assertThat(settle(waits)).isEqualTo(1);
        assertThat(stored(locked).status()).isEqualTo(MessageStatus.DELIVERED);
    }

    @Test
    default void aRetryWhoseRowIsLockedIsReturned() {
        OutboxMessage locked = keyed("1");
        OutboxMessage free = keyed("2");
        enqueue(locked, free);
        join("a");
        List<ClaimedMessage> fetched = fetchAll("a");
        Settlement waits = Settlement.retry(fetched.get(0), LONG, "busy", true);
        Optional<OutboxTransaction> lock = lockRow(locked.id());
        Assumptions.assumeThat(lock).as("rows of this store can be locked").isPresent();
        Settled settled;
        try {
            settled = store().settle(List.of(waits, Settlement.dead(fetched.get(1), "never", true)));
        } finally {
            lock.ifPresent(OutboxTransaction::close);
        }

        assertThat(settled).isEqualTo(new Settled(1, List.of(waits)));
        assertThat(stored(free).status()).isEqualTo(MessageStatus.DEAD);
        assertThat(settle(waits)).isEqualTo(1);
        assertThat(stored(locked).lastError()).isEqualTo("busy");
        assertThat(admin().attempts(locked.id())).hasSize(1);
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
        List<ClaimedMessage> claimed = fetchAll("a");
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
        end("a", claimed);
        assertThat(stored(released).attempts()).isZero();
        assertThat(stored(settledBefore).lastError()).isEqualTo("first");
    }

    @Test
    default void settlingNothingWritesNothing() {
        assertThat(store().settle(List.of())).isEqualTo(new Settled(0, List.of()));
    }

    @Test
    default void anErrorOfAnyLengthAndScriptIsKeptOrCutButNeverRefused() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        String error = "größe 🐎 \u0000 " + "x".repeat(20_000);

        int written = settle(Settlement.dead(fetchOne("a"), error, false));

        assertThat(written).isEqualTo(1);
        assertThat(stored(message).lastError()).startsWith("größe 🐎");
    }

    @Test
    @Tag("R4.8")
    default void delayedMessageIsOldFromItsDueTimeOnUntilItIsTriedAgain() {
        enqueue(OutboxMessage.to("orders", "OrderPlaced").deliverAfter(SHORT).build());
        join("a");
        ClaimedMessage claimed = awaitDue("a");
        Duration before = admin().stats().oldestPending();

        settle(Settlement.retry(claimed, Duration.ZERO, "broken", false));

        Duration after = admin().stats().oldestPending();
        assertThat(after).isGreaterThanOrEqualTo(before.plus(SHORT).minusMillis(1));
    }
}
