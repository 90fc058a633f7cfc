package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages of one key go one after the other, and no other key waits for them. */
@Tag("B1")
interface KeyOrderContract extends StoreSteps {

    @Test
    default void ofManyHeldKeysNoneIsOvertaken() {
        join("a");
        enqueue(manyKeys());
        settle(fetchAll("a").stream()
                .map(each -> Settlement.retry(each, Duration.ofHours(1), "broken", true))
                .toList());
        OutboxMessage free = keyed("free");

        enqueue(manyKeys());
        enqueue(free);

        assertThat(ids(fetchFree("a"))).containsExactly(free.id());
    }

    private OutboxMessage[] manyKeys() {
        return IntStream.range(0, 600).mapToObj(i -> keyed("held-" + i)).toArray(OutboxMessage[]::new);
    }

    @Test
    default void aBlockedKeyGoesOnInOrderOneByOne() {
        join("a");
        List<OutboxMessage> messages = blockedKey("a", "42", 5);
        enqueue(keyed("other"));
        settle(Settlement.delivered(fetchOne("a")));

        List<UUID> delivered = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            ClaimedMessage head = awaitDue("a");
            delivered.add(head.message().id());
            settle(Settlement.delivered(head));
        }

        assertThat(delivered)
                .containsExactlyElementsOf(
                        messages.stream().map(OutboxMessage::id).toList());
        assertThat(due("a")).isEmpty();
    }

    @Test
    default void aMessageThatWaitedBehindIsHeldAndOnItsFirstAttempt() {
        join("a");
        blockedKey("a", "42", 2);
        settle(Settlement.delivered(awaitDue("a")));

        ClaimedMessage second = awaitDue("a");

        assertThat(second.held()).isTrue();
        assertThat(second.attempt()).isEqualTo(1);
        assertThat(second.lostClaims()).isZero();
    }

    @Test
    default void aKeyIsFreeAgainWhenItsLastHeldMessageIsDelivered() {
        join("a");
        blockedKey("a", "42", 2);
        settle(Settlement.delivered(awaitDue("a")));
        settle(Settlement.delivered(awaitDue("a")));
        OutboxMessage next = keyed("42");

        enqueue(next);

        ClaimedMessage claimed = fetchOne("a");
        assertThat(claimed.message().id()).isEqualTo(next.id());
        assertThat(claimed.held()).isFalse();
    }

    @Test
    default void otherKeysTopicsAndNamespacesDoNotWait() {
        join("a");
        blockedKey("a", "42", 1);
        OutboxMessage otherKey = keyed("43");
        OutboxMessage noKey = unkeyed();
        OutboxMessage otherTopic =
                OutboxMessage.to("invoices", "Placed").key("42").build();
        OutboxMessage otherNamespace = OutboxMessage.to("orders", "Placed")
                .namespace("other")
                .key("42")
                .build();

        enqueue(otherKey, noKey, otherTopic, otherNamespace);

        assertThat(ids(fetchFree("a")))
                .containsExactlyInAnyOrder(otherKey.id(), noKey.id(), otherTopic.id(), otherNamespace.id());
    }

    @Test
    default void keysAreComparedExactly() {
        join("a");
        blockedKey("a", "key", 1);

        enqueue(keyed("KEY"), keyed("key "), keyed("kéy"), keyed("key\u200b"));

        assertThat(fetchFree("a")).hasSize(4);
    }

    @Test
    default void aLaterHolderDoesNotHoldAnEarlierMessage() {
        OutboxMessage first = keyed("42");
        OutboxMessage second = keyed("42");
        enqueue(first, second);
        join("a");
        List<ClaimedMessage> claimed = fetchAll("a");

        settle(Settlement.retry(claimed.get(1), LONG, "broken", true));

        assertThat(ids(fetchFree("a"))).containsExactly(first.id());
    }

    @Test
    default void aParkedMessageDoesNotHoldItsKey() {
        OutboxMessage parked = keyed("42");
        OutboxMessage next = keyed("42");
        enqueue(parked);
        join("a");
        settle(Settlement.retry(fetchOne("a"), LONG, "broken", false));

        enqueue(next);

        assertThat(ids(fetchFree("a"))).containsExactly(next.id());
        assertThat(admin().blockedKeys(10)).isEmpty();
    }

    @Test
    default void aDeadMessageThatWasParkedDoesNotHoldItsKey() {
        OutboxMessage next = keyed("42");
        enqueue(keyed("42"));
        join("a");
        settle(Settlement.dead(fetchOne("a"), "never", false));

        enqueue(next);

        assertThat(ids(fetchFree("a"))).containsExactly(next.id());
    }

    @Test
    default void aDeadHolderBlocksItsKeyUntilItIsDiscarded() {
        join("a");
        List<OutboxMessage> messages = blockedKey("a", "42", 3);
        settle(Settlement.dead(awaitDue("a"), "never", true));
        assertThat(fetchAll("a")).isEmpty();
        assertThat(due("a")).isEmpty();

        admin().discard(List.of(messages.get(0).id()), DECISION);

        ClaimedMessage second = awaitDue("a");
        assertThat(second.message().id()).isEqualTo(messages.get(1).id());
        settle(Settlement.delivered(second));
        assertThat(awaitDue("a").message().id()).isEqualTo(messages.get(2).id());
    }

    @Test
    default void aDeadHolderThatIsRequeuedIsStillFirst() {
        join("a");
        List<OutboxMessage> messages = blockedKey("a", "42", 2);
        settle(Settlement.dead(awaitDue("a"), "never", true));

        admin().requeue(List.of(messages.get(0).id()), DECISION);

        ClaimedMessage first = awaitDue("a");
        assertThat(first.message().id()).isEqualTo(messages.get(0).id());
        assertThat(first.attempt()).isEqualTo(1);
        assertThat(first.held()).isTrue();
        settle(Settlement.delivered(first));
        assertThat(awaitDue("a").message().id()).isEqualTo(messages.get(1).id());
    }

    @Test
    default void aRetryOfTheHeadKeepsTheOthersBehindIt() {
        join("a");
        List<OutboxMessage> messages = blockedKey("a", "42", 3);

        settle(Settlement.retry(awaitDue("a"), SHORT, "again", true));

        ClaimedMessage head = awaitDue("a");
        assertThat(head.message().id()).isEqualTo(messages.get(0).id());
        assertThat(head.attempt()).isEqualTo(3);
        assertThat(due("a")).hasSize(1);
    }

    @Test
    default void twoRetriesOfOneKeyAreSentInOrder() {
        OutboxMessage first = keyed("42");
        OutboxMessage second = keyed("42");
        enqueue(first, second);
        join("a");
        List<ClaimedMessage> fetched = fetchAll("a");
        settle(Settlement.retry(fetched.get(1), Duration.ZERO, "broken", true));
        settle(Settlement.retry(fetched.get(0), Duration.ZERO, "broken", true));

        ClaimedMessage head = awaitDue("a");

        assertThat(head.message().id()).isEqualTo(first.id());
        settle(Settlement.delivered(head));
        assertThat(awaitDue("a").message().id()).isEqualTo(second.id());
    }

    @Test
    default void aMessageWhoseClaimWasLostIsFetchedWithTheHolderOfItsKey() {
        OutboxMessage first = keyed("42");
        OutboxMessage second = keyed("42");
        enqueue(first, second);
        join("a");
        List<ClaimedMessage> fetched = fetchAll("a");
        settle(Settlement.retry(fetched.get(0), Duration.ZERO, "broken", true));

        takeOver("a", "b");

        FetchedRow lost = fetchRows("b").get(0);
        assertThat(lost.holder()).isEqualTo(fetched.get(0).seq());
        assertThat(settle(Settlement.delivered(fetched.get(1))))
                .as("the old owner's outcome")
                .isZero();
        settle(Settlement.behind(lost.claimed(), fetched.get(0).seq()));
        ClaimedMessage head = awaitDue("b");
        assertThat(head.message().id()).isEqualTo(first.id());
        settle(Settlement.delivered(head));
        ClaimedMessage behind = awaitDue("b");
        assertThat(behind.message().id()).isEqualTo(second.id());
        assertThat(behind.attempt()).as("a lost claim is no attempt").isEqualTo(1);
    }

    @Test
    default void aTakeOverFetchesTheHeadAgainAndNothingBehindIt() {
        join("a");
        List<OutboxMessage> messages = blockedKey("a", "42", 3);
        awaitDue("a");

        takeOver("a", "b");

        assertThat(fetchAll("b")).isEmpty();
        assertThat(awaitDue("b").message().id()).isEqualTo(messages.get(0).id());
        assertThat(due("b")).hasSize(1);
    }

    @Test
    default void severalKeysAdvanceInOneSettle() {
        join("a");
        List<OutboxMessage> left = blockedKey("a", "left", 2);
        List<OutboxMessage> right = blockedKey("a", "right", 2);

        settle(awaitDue("a", 2).stream().map(Settlement::delivered).toList());

        assertThat(ids(awaitDue("a", 2)))
                .containsExactlyInAnyOrder(left.get(1).id(), right.get(1).id());
    }
}
