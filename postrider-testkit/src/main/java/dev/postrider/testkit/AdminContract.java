package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.BlockedKey;
import dev.postrider.admin.ClosedTopic;
import dev.postrider.admin.OutboxStats;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ClosedGate;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A person's action is guarded by the state of the message and disturbs no relay. */
interface AdminContract extends StoreSteps {

    @Test
    default void anUnknownIdIsNotFound() {
        assertThat(admin().find(new UUID(1, 2))).isEmpty();
    }

    @Test
    default void aFoundMessageHasEveryField() {
        OutboxMessage message = OutboxMessage.to("orders", "OrderPlaced")
                .key("42")
                .header("trace", "abc")
                .payload(new byte[] {0, -1, 127})
                .build();
        enqueue(message);

        StoredMessage stored = stored(message);

        assertThat(stored.message()).usingRecursiveComparison().isEqualTo(message);
        assertThat(stored.seq()).isPositive();
    }

    @Test
    @Tag("R0.6")
    default void messagesAreListedByStateOldestFirstPageByPage() {
        OutboxMessage[] messages = {keyed("1"), keyed("2"), keyed("3"), keyed("4")};
        enqueue(messages);
        join("a");
        List<ClaimedMessage> claimed = fetchAll("a");
        settle(Settlement.delivered(claimed.get(0)));
        settle(claimed.stream()
                .skip(1)
                .map(each -> Settlement.dead(each, "never", false))
                .toArray(Settlement[]::new));

        List<StoredMessage> first = admin().list(MessageStatus.DEAD, 0, 2);
        List<StoredMessage> second =
                admin().list(MessageStatus.DEAD, first.get(1).seq(), 2);

        assertThat(first)
                .extracting(stored -> stored.message().id())
                .containsExactly(messages[1].id(), messages[2].id());
        assertThat(second).extracting(stored -> stored.message().id()).containsExactly(messages[3].id());
        assertThat(admin().list(MessageStatus.DELIVERED, 0, 10)).hasSize(1);
        assertThat(admin().list(MessageStatus.CLAIMED, 0, 10)).isEmpty();
        assertThat(admin().list(MessageStatus.PENDING, 0, 10)).isEmpty();
    }

    @Test
    @Tag("R0.6")
    @Tag("R3.5")
    default void aRequeuedMessageBeginsANewLife() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        store().beginTrial(fetchOne("a"));
        takeOver("a", "b");
        ClaimedMessage last = fetchOne("b");
        settle(Settlement.dead(last, "never", false));
        end("b", List.of(last));

        int requeued = admin().requeue(List.of(message.id()), DECISION);

        assertThat(requeued).isEqualTo(1);
        assertThat(stored(message).status()).isEqualTo(MessageStatus.PENDING);
        assertThat(stored(message).attempts()).isZero();
        ClaimedMessage again = awaitDue("b");
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(again.lostClaims()).isZero();
        assertThat(again.onTrial()).isFalse();
    }

    @Test
    default void topicsThatLivingRelaysCannotReachAreListed() {
        TopicName orders = new TopicName("default", "orders");
        TopicName bills = new TopicName("default", "bills");
        join("a");
        join("b");
        store().saveGates("a", List.of(new ClosedGate(orders, Duration.ofHours(1), "topic missing")));
        store().saveGates(
                        "b",
                        List.of(
                                new ClosedGate(orders, Duration.ofMinutes(1), "no leader"),
                                new ClosedGate(bills, Duration.ZERO, "no leader")));

        List<ClosedTopic> listed = admin().closedTopics();
        store().saveGates("b", List.of());
        List<ClosedTopic> afterwards = admin().closedTopics();
        store().leave("a");

        assertThat(listed)
                .extracting(ClosedTopic::topic, ClosedTopic::relay, ClosedTopic::error)
                .containsExactly(
                        tuple(bills, "b", "no leader"),
                        tuple(orders, "a", "topic missing"),
                        tuple(orders, "b", "no leader"));
        assertThat(Duration.between(listed.get(1).since(), listed.get(2).since()))
                .isCloseTo(Duration.ofMinutes(59), Duration.ofMinutes(5));
        assertThat(afterwards).extracting(ClosedTopic::relay).containsExactly("a");
        assertThat(admin().closedTopics()).isEmpty();
    }

    @Test
    @Tag("R1.15")
    default void onlyDeadMessagesAreRequeuedOrDiscarded() {
        List<UUID> ids = oneOfEachState();
        ids.add(new UUID(1, 2));
        UUID dead = ids.get(3);

        assertThat(admin().requeue(ids, DECISION)).isEqualTo(1);
        assertThat(admin().find(dead).orElseThrow().status()).isEqualTo(MessageStatus.PENDING);
        assertThat(admin().discard(ids, DECISION)).isZero();
        assertThat(admin().find(ids.get(0)).orElseThrow().status()).isEqualTo(MessageStatus.PENDING);
        assertThat(admin().find(ids.get(1)).orElseThrow().status()).isEqualTo(MessageStatus.CLAIMED);
        assertThat(admin().find(ids.get(2)).orElseThrow().status()).isEqualTo(MessageStatus.DELIVERED);
    }

    @Test
    @Tag("R0.6")
    default void aDiscardedMessageIsGone() {
        List<UUID> ids = oneOfEachState();

        assertThat(admin().discard(ids, DECISION)).isEqualTo(1);

        assertThat(admin().find(ids.get(3))).isEmpty();
        assertThat(ids.subList(0, 3))
                .allSatisfy(id -> assertThat(admin().find(id)).isPresent());
    }

    @Test
    default void onlyDeliveredMessagesAreReplayed() {
        List<UUID> ids = oneOfEachState();

        assertThat(admin().replay(ids, DECISION)).isEqualTo(1);

        StoredMessage replayed = admin().find(ids.get(2)).orElseThrow();
        assertThat(replayed.status()).isEqualTo(MessageStatus.PENDING);
        assertThat(replayed.attempts()).isZero();
        ClaimedMessage again = awaitDue("a");
        assertThat(again.message().id()).isEqualTo(ids.get(2));
        assertThat(again.attempt()).isEqualTo(1);
    }

    @Test
    default void aReplayDoesNotHoldItsKey() {
        OutboxMessage old = keyed("42");
        OutboxMessage next = keyed("42");
        enqueue(old);
        join("a");
        settle(Settlement.delivered(fetchOne("a")));

        admin().replay(List.of(old.id()), DECISION);

        enqueue(next);
        assertThat(ids(fetchFree("a"))).containsExactly(next.id());
        assertThat(admin().blockedKeys(10)).isEmpty();
    }

    @Test
    @Tag("R3.6")
    default void purgeRemovesNothingButDeliveredMessages() {
        List<UUID> ids = oneOfEachState();

        List<Integer> purged = await(() -> {
            int removed = admin().purge(Duration.ZERO, 10, DECISION);
            return removed == 0 ? List.of() : List.of(removed);
        });

        assertThat(purged).containsExactly(1);
        assertThat(admin().find(ids.get(2))).isEmpty();
        assertThat(List.of(ids.get(0), ids.get(1), ids.get(3)))
                .allSatisfy(id -> assertThat(admin().find(id)).isPresent());
    }

    @Test
    @Tag("R3.6")
    default void purgeLeavesYoungMessagesAlone() {
        List<UUID> ids = oneOfEachState();

        assertThat(admin().purge(Duration.ofDays(30), 10, DECISION)).isZero();

        assertThat(admin().find(ids.get(2))).isPresent();
    }

    @Test
    @Tag("R3.6")
    default void purgeGoesInBatches() {
        enqueue(unkeyed(), unkeyed(), unkeyed());
        join("a");
        settle(fetchAll("a").stream().map(Settlement::delivered).toList());
        advance(SHORT);

        assertThat(admin().purge(Duration.ZERO, 2, DECISION)).isEqualTo(2);
        assertThat(admin().purge(Duration.ZERO, 2, DECISION)).isEqualTo(1);
        assertThat(admin().purge(Duration.ZERO, 2, DECISION)).isZero();
    }

    @Test
    default void aBlockedKeyIsShownWithItsHolderAndWhatWaits() {
        join("a");
        List<OutboxMessage> messages = blockedKey("a", "42", 3);

        List<BlockedKey> blocked = admin().blockedKeys(10);

        assertThat(blocked)
                .containsExactly(new BlockedKey(
                        TopicName.of(messages.get(0)), "42", messages.get(0).id(), MessageStatus.PENDING, 2, "broken"));
    }

    @Test
    @Tag("R0.6")
    default void aKeyBlockedByADeadMessageIsShown() {
        join("a");
        List<OutboxMessage> messages = blockedKey("a", "42", 2);
        settle(Settlement.dead(awaitDue("a"), "never", true));

        assertThat(admin().blockedKeys(10)).singleElement().satisfies(blocked -> {
            assertThat(blocked.blockedBy()).isEqualTo(messages.get(0).id());
            assertThat(blocked.status()).isEqualTo(MessageStatus.DEAD);
            assertThat(blocked.waiting()).isEqualTo(1);
            assertThat(blocked.error()).isEqualTo("never");
        });
    }

    @Test
    default void blockedKeysAreBoundedByTheLimit() {
        join("a");
        blockedKey("a", "1", 1);
        blockedKey("a", "2", 1);
        blockedKey("a", "3", 1);

        assertThat(admin().blockedKeys(2)).hasSize(2);
        assertThat(admin().blockedKeys(10)).extracting(BlockedKey::key).containsExactlyInAnyOrder("1", "2", "3");
    }

    @Test
    @Tag("R4.8")
    default void anEmptyOutboxCountsNothing() {
        OutboxStats stats = admin().stats();

        assertThat(stats.pending()).isZero();
        assertThat(stats.waiting()).isZero();
        assertThat(stats.dead()).isZero();
        assertThat(stats.oldestPending()).isZero();
        assertThat(stats.cap()).isPositive();
        assertThat(stats.blockedKeys()).isZero();
    }

    @Test
    @Tag("R4.8")
    default void statsCountBlockedKeys() {
        join("a");
        blockedKey("a", "1", 3);
        blockedKey("a", "2", 1);

        assertThat(admin().stats().blockedKeys()).isEqualTo(2);
    }

    @Test
    @Tag("R4.8")
    default void statsTellWhetherAnybodyDelivers() {
        OutboxStats before = admin().stats();
        store().renew("a", LONG);
        store().acquire("a", Set.of(3, 7));
        store().renew("b", LONG);
        OutboxStats owned = admin().stats();
        store().renew("a", SHORT);

        assertThat(before.relays()).isZero();
        assertThat(before.unownedShards()).isEqualTo(Shards.COUNT);
        assertThat(owned.relays()).isEqualTo(2);
        assertThat(owned.unownedShards()).isEqualTo(Shards.COUNT - 2);
        assertThat(await(() -> Stream.of(admin().stats())
                        .filter(stats -> stats.relays() == 1)
                        .toList()))
                .singleElement()
                .extracting(OutboxStats::unownedShards)
                .isEqualTo(Shards.COUNT);
    }

    @Test
    @Tag("R4.8")
    default void statsTellPendingWaitingAndDeadApart() {
        enqueue(keyed("1"), keyed("2"), keyed("3"), keyed("4"), keyed("5"));
        join("a");
        List<ClaimedMessage> claimed = fetchAll("a");
        settle(
                Settlement.delivered(claimed.get(0)),
                Settlement.retry(claimed.get(1), LONG, "broken", true),
                Settlement.dead(claimed.get(2), "never", true));
        enqueue(keyed("2"));
        List<ClaimedMessage> later = fetch(request("a", claimed));
        settle(Settlement.behind(later.get(0), claimed.get(1).seq()));
        end("a", claimed);
        end("a", later);
        advance(SHORT);

        fetch(request("a", claimed.subList(3, 4)));

        OutboxStats stats = admin().stats();
        assertThat(stats.pending()).isEqualTo(2);
        assertThat(stats.waiting()).isEqualTo(2);
        assertThat(stats.dead()).isEqualTo(1);
        assertThat(stats.oldestPending()).isPositive();
    }

    /** Returns the ids of a pending, a claimed, a delivered and a dead message. */
    private List<UUID> oneOfEachState() {
        OutboxMessage[] messages = {keyed("1"), keyed("2"), keyed("3"), keyed("4")};
        enqueue(messages);
        join("a");
        List<ClaimedMessage> fetched = fetchAll("a");
        settle(Settlement.delivered(fetched.get(2)), Settlement.dead(fetched.get(3), "never", false));
        end("a", fetched);
        fetch(request("a", fetched.subList(0, 1)));
        return new ArrayList<>(Arrays.stream(messages).map(OutboxMessage::id).toList());
    }
}
