package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A trial that is lost is remembered, and so is every lost claim, until an outcome is written. */
interface TrialContract extends StoreSteps {

    @Test
    default void aTrialThatIsLostIsRemembered() {
        enqueue(unkeyed());
        join("a");

        boolean begun = store().beginTrial(fetchOne("a"));

        takeOver("a", "b");
        ClaimedMessage again = fetchOne("b");
        assertThat(begun).isTrue();
        assertThat(again.onTrial()).isTrue();
        assertThat(again.lostClaims()).isEqualTo(1);
    }

    @Test
    default void aLostClaimOutsideATrialIsNotATrial() {
        enqueue(unkeyed());
        join("a");
        fetchOne("a");

        takeOver("a", "b");

        assertThat(fetchOne("b").onTrial()).isFalse();
    }

    @Test
    @Tag("R1.10")
    default void aLostClaimCannotBeginATrial() {
        enqueue(unkeyed());
        join("a");
        ClaimedMessage lost = fetchOne("a");
        takeOver("a", "b");
        fetchOne("b");

        assertThat(store().beginTrial(lost)).isFalse();

        takeOver("b", "c");
        assertThat(fetchOne("c").onTrial()).isFalse();
    }

    @Test
    default void aTrialThatEndedWithAReleaseIsForgotten() {
        enqueue(unkeyed());
        join("a");
        ClaimedMessage claimed = fetchOne("a");
        store().beginTrial(claimed);
        settle(Settlement.released(claimed));
        fetchOne("a");

        takeOver("a", "b");

        assertThat(fetchOne("b").onTrial()).isFalse();
    }

    @Test
    default void aReleasedMessageKeepsItsLostClaimsAndEndsItsTrial() {
        enqueue(unkeyed());
        join("a");
        store().beginTrial(fetchOne("a"));
        takeOver("a", "b");

        settle(Settlement.released(fetchOne("b")));

        ClaimedMessage again = fetchOne("b");
        assertThat(again.lostClaims()).isEqualTo(1);
        assertThat(again.onTrial()).isFalse();
    }

    @Test
    default void aReleaseThatIsRepeatedChangesNothing() {
        OutboxMessage message = keyed("42");
        enqueue(message);
        join("a");
        ClaimedMessage fetched = fetchOne("a");
        store().beginTrial(fetched);
        settle(Settlement.released(fetched));
        StoredMessage before = stored(message);
        advance(POLL);

        settle(Settlement.released(fetched));

        assertThat(stored(message)).usingRecursiveComparison().isEqualTo(before);
        assertThat(fetchOne("a").onTrial()).isFalse();
        assertThat(fetchOne("a").attempt()).isEqualTo(1);
    }

    @Test
    default void aMessageBehindAnotherKeepsItsLostClaims() {
        OutboxMessage behind = keyed("42");
        enqueue(keyed("42"), behind);
        join("a");
        fetchAll("a");
        takeOver("a", "b");
        List<ClaimedMessage> fetched = fetchAll("b");

        settle(Settlement.retry(fetched.get(0), Duration.ZERO, "broken", true));
        settle(Settlement.behind(fetched.get(1), fetched.get(0).seq()));
        settle(Settlement.delivered(awaitDue("b")));

        ClaimedMessage promoted = awaitDue("b");
        assertThat(promoted.message().id()).isEqualTo(behind.id());
        assertThat(promoted.lostClaims()).isEqualTo(1);
        assertThat(promoted.onTrial()).isFalse();
    }

    @Test
    default void aDeliveryForgetsLostClaimsAndTrials() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        store().beginTrial(fetchOne("a"));
        takeOver("a", "b");
        settle(Settlement.delivered(fetchOne("b")));

        admin().replay(List.of(message.id()), DECISION);

        ClaimedMessage replayed = awaitDue("b");
        assertThat(replayed.lostClaims()).isZero();
        assertThat(replayed.onTrial()).isFalse();
    }
}
