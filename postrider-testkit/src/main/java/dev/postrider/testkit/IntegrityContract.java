package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A row that was changed behind the store's back is told from a sound one, and disturbs no other. */
@Tag("R4.2")
interface IntegrityContract extends StoreSteps {

    @Test
    default void aDamagedRowIsFetchedWithADefectAndTheOthersWithout() {
        OutboxMessage damaged = keyed("a");
        OutboxMessage sound = keyed("b");
        enqueue(damaged, sound);
        damage(damaged.id());
        join("a");

        List<ClaimedMessage> fetched = fetchAll("a");

        assertThat(ids(fetched)).containsExactly(damaged.id(), sound.id());
        assertThat(fetched.get(0).defect()).isNotBlank();
        assertThat(fetched.get(1).defect()).isNull();
    }

    @Test
    default void aRowIsCheckedAgainWithEveryFetch() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        ClaimedMessage first = fetchOne("a");
        settle(Settlement.retry(first, Duration.ZERO, "broken", false));
        damage(message.id());

        ClaimedMessage again = awaitDue("a");

        assertThat(first.defect()).isNull();
        assertThat(again.defect()).isNotBlank();
    }

    @Test
    default void aClaimByHandTellsOfADefect() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        damage(message.id());

        assertThat(store().claimUnsharded("me", 10, LONG, 5, null))
                .singleElement()
                .satisfies(claimed -> assertThat(claimed.defect()).isNotBlank());
    }

    @Test
    default void aPersonSeesTheDefectInAnyState() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        assertThat(stored(message).defect()).isNull();

        damage(message.id());

        assertThat(stored(message).defect()).isNotBlank();
        assertThat(admin().list(MessageStatus.PENDING, 0, 10))
                .singleElement()
                .satisfies(listed -> assertThat(listed.defect()).isNotBlank());
    }

    @Test
    default void aRepairedRowIsSound() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        damage(message.id());
        join("a");
        ClaimedMessage claimed = fetchOne("a");
        settle(Settlement.dead(claimed, String.valueOf(claimed.defect()), false));

        repair(message.id());
        admin().requeue(List.of(message.id()), DECISION);

        assertThat(awaitDue("a").defect()).isNull();
    }
}
