package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.Attempt;
import dev.postrider.admin.Decision;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Settlement.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever asks why a message failed is told, for every attempt. */
@Tag("R0.6")
interface AttemptContract extends StoreSteps {

    @Test
    default void everyAttemptThatFailsIsRememberedOldestFirst() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        settle(Settlement.retry(fetchOne("a"), Duration.ZERO, "busy 17", false).withTook(Duration.ofMillis(12)));
        settle(Settlement.dead(awaitDue("a"), "never", false));

        List<Attempt> attempts = admin().attempts(message.id());

        assertThat(attempts).hasSize(2);
        Attempt first = attempts.get(0);
        assertThat(first.messageId()).isEqualTo(message.id());
        assertThat(first.attempt()).isEqualTo(1);
        assertThat(first.relay()).isEqualTo("a");
        assertThat(first.outcome()).isEqualTo(Outcome.RETRY);
        assertThat(first.took()).isEqualTo(Duration.ofMillis(12));
        assertThat(first.failure()).isEqualTo("busy *");
        assertThat(first.error()).isEqualTo("busy 17");
        Attempt last = attempts.get(1);
        assertThat(last.attempt()).isEqualTo(2);
        assertThat(last.outcome()).isEqualTo(Outcome.DEAD);
        assertThat(last.took()).isZero();
        assertThat(last.error()).isEqualTo("never");
        assertThat(last.ended())
                .isAfterOrEqualTo(first.ended())
                .isAfterOrEqualTo(stored(message).times().created());
    }

    @Test
    default void whatWasNotTriedOrWasDeliveredLeavesNoAttempt() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");

        settle(Settlement.released(fetchOne("a")));
        settle(Settlement.delivered(fetchOne("a")));

        assertThat(admin().attempts(message.id())).isEmpty();
        assertThat(admin().attempts(UUID.randomUUID())).isEmpty();
    }

    @Test
    default void anOutcomeThatIsSettledAgainIsOneAttempt() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        ClaimedMessage claimed = fetchOne("a");
        Settlement outcome = Settlement.retry(claimed, LONG, "broken", false);

        int written = settle(outcome) + settle(outcome) + settle(Settlement.dead(claimed, "late", false));

        assertThat(written).isEqualTo(1);
        assertThat(admin().attempts(message.id()))
                .singleElement()
                .extracting(Attempt::outcome, Attempt::error)
                .containsExactly(Outcome.RETRY, "broken");
    }

    @Test
    @Tag("R4.9")
    default void anAttemptUnderALostClaimIsRememberedWithTheRelayThatMadeIt() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        ClaimedMessage lost = fetchOne("a");
        handOver("a", "b");
        ClaimedMessage current = fetchOne("b");

        int written = settle(Settlement.dead(lost, "late", false));
        settle(Settlement.retry(current, LONG, "broken", false));

        assertThat(written).isZero();
        assertThat(stored(message).status()).isEqualTo(MessageStatus.PENDING);
        assertThat(admin().attempts(message.id())).extracting(Attempt::relay).containsExactly("a", "b");
    }

    @Test
    default void outcomesOfEveryKindTogetherLeaveTheAttemptsThatFailed() {
        OutboxMessage delivered = keyed("1");
        OutboxMessage retried = keyed("2");
        OutboxMessage dead = keyed("3");
        OutboxMessage released = keyed("4");
        enqueue(delivered, retried, dead, released);
        join("a");
        List<ClaimedMessage> claimed = fetchAll("a");

        int written = settle(
                Settlement.delivered(claimed.get(0)),
                Settlement.retry(claimed.get(1), LONG, "broken", true),
                Settlement.dead(claimed.get(2), "never", true),
                Settlement.released(claimed.get(3)));

        assertThat(written).isEqualTo(4);
        assertThat(admin().attempts(delivered.id())).isEmpty();
        assertThat(admin().attempts(retried.id())).extracting(Attempt::error).containsExactly("broken");
        assertThat(admin().attempts(dead.id())).extracting(Attempt::error).containsExactly("never");
        assertThat(admin().attempts(released.id())).isEmpty();
    }

    @Test
    default void theLastFiftyAttemptsAreKept() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        settle(Settlement.retry(fetchOne("a"), Duration.ZERO, "broken", false));

        for (int attempt = 2; attempt <= 53; attempt++) {
            settle(Settlement.retry(awaitDue("a"), Duration.ZERO, "broken", false));
        }

        assertThat(admin().attempts(message.id()))
                .hasSize(50)
                .extracting(Attempt::attempt)
                .startsWith(4, 5)
                .endsWith(53);
    }

    @Test
    default void theAttemptsOfSeveralLivesAreBoundedToo() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        settle(Settlement.dead(fetchOne("a"), "never", false));

        for (int life = 2; life <= 18; life++) {
            requeue(message);
            settle(Settlement.retry(awaitDue("a"), Duration.ZERO, "broken", false));
            settle(Settlement.retry(awaitDue("a"), Duration.ZERO, "broken", false));
            settle(Settlement.dead(awaitDue("a"), "life " + life, false));
        }

        assertThat(admin().attempts(message.id()))
                .hasSize(50)
                .last()
                .extracting(Attempt::error, Attempt::attempt)
                .containsExactly("life 18", 3);
    }

    @Test
    default void aMessageShowsTheFailureOfItsLastAttempt() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        assertThat(stored(message).failure()).isNull();

        settle(Settlement.retry(fetchOne("a"), Duration.ZERO, "no order 42", false));
        assertThat(stored(message).failure()).isEqualTo("no order *");

        settle(Settlement.released(awaitDue("a")));
        assertThat(stored(message).failure()).as("nothing was tried").isEqualTo("no order *");

        settle(Settlement.dead(awaitDue("a"), "gone", false).withFailure("com.acme.Gone at com.acme.Orders.find"));
        assertThat(stored(message).failure()).isEqualTo("com.acme.Gone at com.acme.Orders.find");
        assertThat(admin().list(MessageStatus.DEAD, 0, 10))
                .singleElement()
                .extracting(StoredMessage::failure)
                .isEqualTo("com.acme.Gone at com.acme.Orders.find");
    }

    @Test
    default void aDeliveryForgetsTheFailureAndKeepsTheAttempts() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        settle(Settlement.retry(fetchOne("a"), Duration.ZERO, "broken", false));

        settle(Settlement.delivered(awaitDue("a")));

        assertThat(stored(message).failure()).isNull();
        assertThat(admin().attempts(message.id())).hasSize(1);
    }

    @Test
    default void aMessageGivenUpBecauseItsClaimExpiredHasAFailureToo() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        store().claimUnsharded("me", 10, SHORT, 1, null);

        List<StoredMessage> dead = await(() -> {
            store().claimUnsharded("me", 10, LONG, 1, null);
            return admin().list(MessageStatus.DEAD, 0, 10);
        });

        assertThat(dead)
                .singleElement()
                .satisfies(each -> assertThat(each.failure()).contains("expired"));
    }

    @Test
    @Tag("S22")
    default void anAttemptWithAnyErrorIsRemembered() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        String error = "größe 🐎 \u0000 " + "x".repeat(20_000);

        settle(Settlement.dead(fetchOne("a"), error, false));

        Attempt attempt = admin().attempts(message.id()).get(0);
        assertThat(attempt.error()).startsWith("größe 🐎");
        assertThat(attempt.failure())
                .startsWith("größe 🐎")
                .hasSize(500)
                .isEqualTo(stored(message).failure());
    }

    @Test
    @Tag("R4.4")
    default void anOutcomeEndsTheCountOfLostClaims() {
        enqueue(unkeyed());
        join("a");
        fetchOne("a");
        takeOver("a", "b");
        ClaimedMessage recovered = fetchOne("b");

        settle(Settlement.retry(recovered, Duration.ZERO, "broken", false));

        assertThat(recovered.lostClaims()).isEqualTo(1);
        assertThat(awaitDue("b").lostClaims()).isZero();
    }

    private void requeue(OutboxMessage message) {
        assertThat(admin().requeue(List.of(message.id()), new Decision("ada", "another life")))
                .isEqualTo(1);
    }
}
