package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An outcome is written once, and only by the relay that still owns the shard of its row. */
interface FenceContract extends StoreSteps {

    @Test
    @Tag("R1.10")
    default void aSettledClaimCannotBeSettledAgain() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        ClaimedMessage claimed = fetchOne("a");
        settle(Settlement.delivered(claimed));

        assertThat(settle(Settlement.dead(claimed, "late", true))).isZero();
        assertThat(settle(Settlement.delivered(claimed))).isZero();
        assertThat(stored(message).status()).isEqualTo(MessageStatus.DELIVERED);
    }

    @Test
    @Tag("R1.10")
    default void aRepeatedOutcomeDoesNotUndoWhatAPersonDidMeanwhile() {
        OutboxMessage dead = unkeyed();
        OutboxMessage delivered = unkeyed();
        enqueue(dead, delivered);
        join("a");
        List<ClaimedMessage> claimed = fetchAll("a");
        List<Settlement> outcomes =
                List.of(Settlement.dead(claimed.get(0), "broken", false), Settlement.delivered(claimed.get(1)));
        store().settle(outcomes);
        admin().requeue(List.of(dead.id()), DECISION);
        admin().replay(List.of(delivered.id()), DECISION);

        Settled repeated = store().settle(outcomes);

        assertThat(repeated.written()).isZero();
        assertThat(stored(dead).status()).isNotEqualTo(MessageStatus.DEAD);
        assertThat(stored(delivered).status()).isNotEqualTo(MessageStatus.DELIVERED);
    }

    @Test
    @Tag("R1.10")
    @Tag("R4.9")
    default void anOutcomeUnderAnOldEpochChangesNoRow() {
        OutboxMessage message = keyed("42");
        enqueue(message);
        join("a");
        ClaimedMessage lost = fetchOne("a");
        takeOver("a", "b");
        fetchOne("b");
        StoredMessage before = stored(message);

        assertNothingIsWritten(lost);
        store().renew("a", LONG);
        assertNothingIsWritten(lost);

        assertThat(stored(message)).usingRecursiveComparison().isEqualTo(before);
    }

    @Test
    @Tag("R1.10")
    default void anOutcomeUnderAnOldEpochOfTheSameRelayChangesNoRow() {
        OutboxMessage message = keyed("42");
        enqueue(message);
        join("a");
        ClaimedMessage old = fetchOne("a");
        store().release("a", store().renew("a", LONG).owned());
        join("a");
        StoredMessage before = stored(message);

        assertNothingIsWritten(old);

        assertThat(stored(message)).usingRecursiveComparison().isEqualTo(before);
        assertThat(settle(Settlement.delivered(fetchOne("a")))).isEqualTo(1);
    }

    @Test
    @Tag("R1.10")
    default void anOutcomeInAShardThatWasReleasedChangesNoRow() {
        OutboxMessage message = keyed("42");
        enqueue(message);
        join("a");
        ClaimedMessage lost = fetchOne("a");
        store().release("a", store().renew("a", LONG).owned());

        assertNothingIsWritten(lost);

        store().leave("a");
        assertNothingIsWritten(lost);
        assertThat(stored(message).status()).isEqualTo(MessageStatus.PENDING);
    }

    private void assertNothingIsWritten(ClaimedMessage lost) {
        assertThat(settle(Settlement.delivered(lost))).isZero();
        assertThat(settle(Settlement.retry(lost, LONG, "late", true))).isZero();
        assertThat(settle(Settlement.dead(lost, "late", true))).isZero();
        assertThat(settle(Settlement.released(lost))).isZero();
        assertThat(settle(Settlement.behind(lost, lost.seq()))).isZero();
        assertThat(store().beginTrial(lost)).isFalse();
    }

    @Test
    default void aLateOutcomeIsWrittenAsLongAsNoRelayHasTakenOver() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        ClaimedMessage late = fetchOne("a");
        store().renew("a", SHORT);

        advance(SHORT.multipliedBy(2));

        assertThat(settle(Settlement.delivered(late))).isEqualTo(1);
        assertThat(stored(message).status()).isEqualTo(MessageStatus.DELIVERED);
    }

    @Test
    @Tag("R1.10")
    default void aDeliveryThatIsRepeatedChangesNothing() {
        OutboxMessage message = keyed("42");
        enqueue(message);
        join("a");

        assertRepeatChangesNothing(message, Settlement.delivered(fetchOne("a")));
    }

    @Test
    @Tag("R1.10")
    default void aRetryThatIsRepeatedChangesNothing() {
        OutboxMessage message = keyed("42");
        enqueue(message);
        join("a");

        assertRepeatChangesNothing(message, Settlement.retry(fetchOne("a"), LONG, "broken", true));
    }

    @Test
    @Tag("R1.10")
    default void aDeathThatIsRepeatedChangesNothing() {
        OutboxMessage message = keyed("42");
        enqueue(message);
        join("a");

        assertRepeatChangesNothing(message, Settlement.dead(fetchOne("a"), "never", true));
    }

    private void assertRepeatChangesNothing(OutboxMessage message, Settlement outcome) {
        assertThat(settle(outcome)).isEqualTo(1);
        StoredMessage before = stored(message);
        advance(POLL);

        assertThat(settle(outcome)).isZero();

        assertThat(stored(message)).usingRecursiveComparison().isEqualTo(before);
        assertThat(store().beginTrial(outcome.claimed())).isFalse();
    }
}
