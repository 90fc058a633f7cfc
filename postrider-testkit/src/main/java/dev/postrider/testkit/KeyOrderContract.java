package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Unblocked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages of one key go one after the other, and no other key waits for them. */
@Tag("B1")
interface KeyOrderContract extends StoreSteps {

    @Test
    default void aLaterMessageOfAHeldKeyIsPutBehindAndNotClaimed() {
        join("a");
        blockedKey("a", "42", 1);
        OutboxMessage later = keyed("42");
        enqueue(later);

        assertThat(claim("a")).isEmpty();
        assertThat(claimWaiting("a")).extracting(each -> each.message().id()).doesNotContain(later.id());
        assertThat(stored(later).status()).isEqualTo(MessageStatus.PENDING);
        assertThat(stored(later).attempts()).isZero();
    }

    @Test
    default void ofManyHeldKeysNoneIsOvertaken() {
        join("a");
        enqueue(manyKeys());
        store().settle(claim("a").stream()
                .map(each -> Settlement.retry(each, Duration.ofHours(1), "broken", true))
                .toList());
        OutboxMessage free = keyed("free");

        enqueue(manyKeys());
        enqueue(free);

        assertThat(ids(claim("a"))).containsExactly(free.id());
    }

    private OutboxMessage[] manyKeys() {
        return IntStream.range(0, 150).mapToObj(i -> keyed("held-" + i)).toArray(OutboxMessage[]::new);
    }

    @Test
    default void aBlockedKeyGoesOnInOrderOneByOne() {
        join("a");
        List<OutboxMessage> messages = blockedKey("a", "42", 5);
        enqueue(keyed("other"));
        settle(Settlement.delivered(claimOne("a")));

        List<UUID> delivered = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            ClaimedMessage head = awaitWaiting("a");
            assertThat(claimWaiting("a")).isEmpty();
            delivered.add(head.message().id());
            settle(Settlement.delivered(head));
        }

        assertThat(delivered)
                .containsExactlyElementsOf(
                        messages.stream().map(OutboxMessage::id).toList());
        assertThat(claimWaiting("a")).isEmpty();
    }

    @Test
    default void aMessageThatWaitedBehindIsHeldAndOnItsFirstAttempt() {
        join("a");
        blockedKey("a", "42", 2);
        settle(Settlement.delivered(awaitWaiting("a")));

        ClaimedMessage second = awaitWaiting("a");

        assertThat(second.held()).isTrue();
        assertThat(second.attempt()).isEqualTo(1);
        assertThat(second.lostClaims()).isZero();
    }

    @Test
    default void aKeyIsFreeAgainWhenItsLastHeldMessageIsDelivered() {
        join("a");
        blockedKey("a", "42", 2);
        settle(Settlement.delivered(awaitWaiting("a")));
        settle(Settlement.delivered(awaitWaiting("a")));
        OutboxMessage next = keyed("42");

        enqueue(next);

        ClaimedMessage claimed = claimOne("a");
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

        assertThat(ids(claim("a")))
                .containsExactlyInAnyOrder(otherKey.id(), noKey.id(), otherTopic.id(), otherNamespace.id());
    }

    @Test
    default void keysAreComparedExactly() {
        join("a");
        blockedKey("a", "key", 1);

        enqueue(keyed("KEY"), keyed("key "), keyed("kéy"), keyed("key\u200b"));

        assertThat(claim("a")).hasSize(4);
    }

    @Test
    default void aLaterHolderDoesNotHoldAnEarlierMessage() {
        OutboxMessage first = keyed("42");
        OutboxMessage second = keyed("42");
        enqueue(first, second);
        join("a");
        List<ClaimedMessage> claimed = claim("a");

        settle(Settlement.released(claimed.get(0)), Settlement.retry(claimed.get(1), LONG, "broken", true));

        assertThat(ids(claim("a"))).containsExactly(first.id());
    }

    @Test
    default void aParkedMessageDoesNotHoldItsKey() {
        OutboxMessage parked = keyed("42");
        OutboxMessage next = keyed("42");
        enqueue(parked);
        join("a");
        settle(Settlement.retry(claimOne("a"), LONG, "broken", false));

        enqueue(next);

        assertThat(ids(claim("a"))).containsExactly(next.id());
        assertThat(admin().blockedKeys(10)).isEmpty();
    }

    @Test
    default void aDeadMessageThatWasParkedDoesNotHoldItsKey() {
        OutboxMessage next = keyed("42");
        enqueue(keyed("42"));
        join("a");
        settle(Settlement.dead(claimOne("a"), "never", false));

        enqueue(next);

        assertThat(ids(claim("a"))).containsExactly(next.id());
    }

    @Test
    default void aDeadHolderBlocksItsKeyUntilItIsDiscarded() {
        join("a");
        List<OutboxMessage> messages = blockedKey("a", "42", 3);
        settle(Settlement.dead(awaitWaiting("a"), "never", true));
        assertThat(claim("a")).isEmpty();
        assertThat(claimWaiting("a")).isEmpty();

        admin().discard(List.of(messages.get(0).id()), DECISION);

        ClaimedMessage second = awaitWaiting("a");
        assertThat(second.message().id()).isEqualTo(messages.get(1).id());
        settle(Settlement.delivered(second));
        assertThat(awaitWaiting("a").message().id()).isEqualTo(messages.get(2).id());
    }

    @Test
    default void aDeadHolderThatIsRequeuedIsStillFirst() {
        join("a");
        List<OutboxMessage> messages = blockedKey("a", "42", 2);
        settle(Settlement.dead(awaitWaiting("a"), "never", true));

        admin().requeue(List.of(messages.get(0).id()), DECISION);

        ClaimedMessage first = awaitWaiting("a");
        assertThat(first.message().id()).isEqualTo(messages.get(0).id());
        assertThat(first.attempt()).isEqualTo(1);
        assertThat(first.held()).isTrue();
        settle(Settlement.delivered(first));
        assertThat(awaitWaiting("a").message().id()).isEqualTo(messages.get(1).id());
    }

    @Test
    default void aRetryOfTheHeadKeepsTheOthersBehindIt() {
        join("a");
        List<OutboxMessage> messages = blockedKey("a", "42", 3);

        settle(Settlement.retry(awaitWaiting("a"), SHORT, "again", true));

        ClaimedMessage head = awaitWaiting("a");
        assertThat(head.message().id()).isEqualTo(messages.get(0).id());
        assertThat(head.attempt()).isEqualTo(3);
        assertThat(claimWaiting("a")).isEmpty();
    }

    @Test
    default void twoRetriesOfOneKeyAreClaimedInOrder() {
        OutboxMessage first = keyed("42");
        OutboxMessage second = keyed("42");
        enqueue(first, second);
        join("a");
        List<ClaimedMessage> claimed = claim("a");
        settle(Settlement.retry(claimed.get(1), Duration.ZERO, "broken", true));
        settle(Settlement.retry(claimed.get(0), Duration.ZERO, "broken", true));

        ClaimedMessage head = awaitWaiting("a");

        assertThat(head.message().id()).isEqualTo(first.id());
        assertThat(claimWaiting("a")).isEmpty();
        settle(Settlement.delivered(head));
        assertThat(awaitWaiting("a").message().id()).isEqualTo(second.id());
    }

    @Test
    default void aMessageWhoseClaimWasLostIsPutBehindTheHolderOfItsKey() {
        OutboxMessage first = keyed("42");
        OutboxMessage second = keyed("42");
        enqueue(first, second);
        join("a");
        List<ClaimedMessage> claimed = claim("a");
        settle(Settlement.retry(claimed.get(0), Duration.ZERO, "broken", true));

        takeOver("a", "b");

        assertThat(claim("b")).isEmpty();
        assertThat(settle(Settlement.delivered(claimed.get(1))))
                .as("the old owner's outcome")
                .isZero();
        ClaimedMessage head = awaitWaiting("b");
        assertThat(head.message().id()).isEqualTo(first.id());
        settle(Settlement.delivered(head));
        ClaimedMessage behind = awaitWaiting("b");
        assertThat(behind.message().id()).isEqualTo(second.id());
        assertThat(behind.attempt()).as("a lost claim is no attempt").isEqualTo(1);
    }

    @Test
    default void aTakeOverClaimsTheHeadAgainAndNothingBehindIt() {
        join("a");
        List<OutboxMessage> messages = blockedKey("a", "42", 3);
        awaitWaiting("a");

        takeOver("a", "b");

        assertThat(claim("b")).isEmpty();
        assertThat(awaitWaiting("b").message().id()).isEqualTo(messages.get(0).id());
        assertThat(claimWaiting("b")).isEmpty();
    }

    @Test
    default void holderAndFollowersMaySettleInOneBatch() {
        List<OutboxMessage> messages =
                IntStream.range(0, 3).mapToObj(i -> keyed("42")).toList();
        enqueue(messages.toArray(OutboxMessage[]::new));
        join("a");
        List<ClaimedMessage> claimed = claim("a");

        int written = settle(
                Settlement.behind(claimed.get(2)),
                Settlement.behind(claimed.get(1)),
                Settlement.retry(claimed.get(0), Duration.ZERO, "broken", true));

        assertThat(written).isEqualTo(3);
        assertThat(stored(messages.get(1)).attempts()).isZero();
        assertThat(stored(messages.get(1)).status()).isEqualTo(MessageStatus.PENDING);
        ClaimedMessage head = awaitWaiting("a");
        assertThat(head.message().id()).isEqualTo(messages.get(0).id());
    }

    @Test
    default void severalKeysAdvanceInOneSettle() {
        join("a");
        List<OutboxMessage> left = blockedKey("a", "left", 2);
        List<OutboxMessage> right = blockedKey("a", "right", 2);
        List<ClaimedMessage> heads = new ArrayList<>();
        while (heads.size() < 2) {
            heads.addAll(await(() -> claimWaiting("a")));
        }

        store().settle(heads.stream().map(Settlement::delivered).toList());

        List<UUID> next = new ArrayList<>();
        while (next.size() < 2) {
            next.addAll(ids(await(() -> claimWaiting("a"))));
        }
        assertThat(next)
                .containsExactlyInAnyOrder(left.get(1).id(), right.get(1).id());
    }

    @Test
    default void unblockFreesAMessageThatWaitsForNobody() {
        OutboxMessage first = keyed("42");
        OutboxMessage second = keyed("42");
        enqueue(first, second);
        join("a");
        List<ClaimedMessage> claimed = claim("a");
        settle(Settlement.delivered(claimed.get(0)));
        settle(Settlement.behind(claimed.get(1)));
        assertThat(claimWaiting("a")).isEmpty();

        int freed = store().unblock(ALL_SHARDS, 0).messages();

        assertThat(freed).isEqualTo(1);
        assertThat(awaitWaiting("a").message().id()).isEqualTo(second.id());
    }

    @Test
    default void unblockLeavesMessagesBehindTheirHolder() {
        join("a");
        blockedKey("a", "42", 3);

        assertThat(store().unblock(ALL_SHARDS, 0)).isEqualTo(new Unblocked(0, 0));

        awaitWaiting("a");
        assertThat(store().unblock(ALL_SHARDS, 0)).isEqualTo(new Unblocked(0, 0));
        assertThat(claimWaiting("a")).isEmpty();
    }

    @Test
    default void unblockLooksOnlyAtTheGivenShards() {
        enqueue(keyed("42"));
        join("a");
        ClaimedMessage claimed = claimOne("a");
        settle(Settlement.behind(claimed));
        List<Integer> others =
                ALL_SHARDS.stream().filter(shard -> shard != claimed.shard()).toList();

        assertThat(store().unblock(Set.copyOf(others), 0).messages()).isZero();
        assertThat(store().unblock(Set.of(claimed.shard()), claimed.seq()).messages())
                .as("above the message")
                .isZero();
        assertThat(store().unblock(Set.of(claimed.shard()), 0).messages()).isEqualTo(1);
    }

    @Test
    default void unblockLooksAtABoundedNumberOfMessagesAndSaysWhereToGoOn() {
        int many = 1_500;
        List<OutboxMessage> messages = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            messages.add(keyed("key-" + i));
        }
        enqueue(messages.toArray(OutboxMessage[]::new));
        join("a");
        List<ClaimedMessage> claimed = new ArrayList<>();
        while (claimed.size() < many) {
            claimed.addAll(claim("a"));
        }
        store().settle(claimed.stream().map(Settlement::behind).toList());

        Unblocked first = store().unblock(ALL_SHARDS, 0);
        Unblocked second = store().unblock(ALL_SHARDS, first.next());

        assertThat(first.messages()).isBetween(1, many - 1);
        assertThat(first.next()).isPositive();
        assertThat(second.messages()).isEqualTo(many - first.messages());
        assertThat(second.next()).isZero();
    }
}
