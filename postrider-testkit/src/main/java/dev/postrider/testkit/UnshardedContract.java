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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Claims for people who drive their own loop: no shards, no order per key, every claim counts. */
@Tag("R1.7")
interface UnshardedContract extends StoreSteps {

    @Test
    @Tag("R1.8")
    default void anUnshardedClaimNeedsNoShardAndMakesAttemptsOne() {
        OutboxMessage message = keyed("42");
        enqueue(message);

        List<ClaimedMessage> claimed = store().claimUnsharded("me", 10, LONG, 5, null);

        assertThat(claimed).singleElement().extracting(ClaimedMessage::attempt).isEqualTo(1);
        StoredMessage stored = stored(message);
        assertThat(stored.status()).isEqualTo(MessageStatus.CLAIMED);
        assertThat(stored.attempts()).isEqualTo(1);
        assertThat(stored.claimedBy()).isEqualTo("me");
        assertThat(stored.times().claimedUntil())
                .isCloseTo(stored.times().updated().plus(LONG), within(1, ChronoUnit.SECONDS));
    }

    @Test
    @Tag("R1.8")
    default void unshardedClaimsTakeTheOldestFirstUpToTheLimit() {
        OutboxMessage[] messages = {keyed("1"), keyed("2"), keyed("3")};
        enqueue(messages);

        List<ClaimedMessage> first = store().claimUnsharded("me", 2, LONG, 5, null);
        List<ClaimedMessage> rest = store().claimUnsharded("me", 2, LONG, 5, null);

        assertThat(ids(first)).containsExactly(messages[0].id(), messages[1].id());
        assertThat(ids(rest)).containsExactly(messages[2].id());
    }

    @Test
    @Tag("R1.1")
    default void unshardedClaimOfANamespaceLeavesOtherNamespacesAlone() {
        OutboxMessage billing = inNamespace("billing");
        OutboxMessage chat = inNamespace("chat");
        OutboxMessage later = inNamespace("billing");
        enqueue(chat, billing, later);

        List<ClaimedMessage> claimed = store().claimUnsharded("me", 10, LONG, 5, "billing");

        assertThat(ids(claimed)).containsExactly(billing.id(), later.id());
        assertThat(stored(chat).status()).isEqualTo(MessageStatus.PENDING);
        assertThat(store().claimUnsharded("me", 10, LONG, 5, "bill")).isEmpty();
        assertThat(ids(store().claimUnsharded("me", 10, LONG, 5, null))).containsExactly(chat.id());
    }

    @Test
    @Tag("R1.1")
    @Tag("R1.9")
    default void unshardedClaimOfANamespaceBuriesNothingInAnother() {
        OutboxMessage chat = inNamespace("chat");
        OutboxMessage billing = inNamespace("billing");
        enqueue(chat, billing);
        store().claimUnsharded("me", 10, SHORT, 1, null);

        await(() -> {
            store().claimUnsharded("me", 10, LONG, 1, "billing");
            return stored(billing).status() == MessageStatus.DEAD ? List.of(billing) : List.of();
        });

        assertThat(stored(chat).status()).isEqualTo(MessageStatus.CLAIMED);
    }

    private static OutboxMessage inNamespace(String namespace) {
        return OutboxMessage.to("events", "used").namespace(namespace).build();
    }

    @Test
    @Tag("R1.8")
    @Tag("R1.14")
    default void anExpiredUnshardedClaimCountsAnotherAttempt() {
        enqueue(unkeyed());
        store().claimUnsharded("dead", 10, SHORT, 5, null);

        List<ClaimedMessage> again = await(() -> store().claimUnsharded("me", 10, LONG, 5, null));

        assertThat(again).singleElement().extracting(ClaimedMessage::attempt).isEqualTo(2);
    }

    @Test
    @Tag("R1.8")
    default void aMessageAtTheLimitIsNotClaimed() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        ClaimedMessage claimed = store().claimUnsharded("me", 10, LONG, 1, null).get(0);
        settle(Settlement.retry(claimed, Duration.ZERO, "broken", false));
        advance(SHORT);

        assertThat(store().claimUnsharded("me", 10, LONG, 1, null)).isEmpty();
        assertThat(await(() -> store().claimUnsharded("me", 10, LONG, 2, null)))
                .singleElement()
                .extracting(ClaimedMessage::attempt)
                .isEqualTo(2);
    }

    @Test
    @Tag("R1.9")
    default void aMessageAtTheLimitWhoseClaimExpiredBecomesDead() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        store().claimUnsharded("me", 10, SHORT, 1, null);

        List<StoredMessage> dead = await(() -> {
            assertThat(store().claimUnsharded("me", 10, LONG, 1, null)).isEmpty();
            return admin().list(MessageStatus.DEAD, 0, 10);
        });

        assertThat(dead).singleElement().satisfies(stored -> {
            assertThat(stored.message().id()).isEqualTo(message.id());
            assertThat(stored.attempts()).isEqualTo(1);
            assertThat(stored.error()).isPresent();
            assertThat(stored.times().died()).isNotNull();
        });
    }

    @Test
    @Tag("R1.10")
    default void onlyTheCurrentUnshardedClaimCanBeSettled() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        ClaimedMessage slow = store().claimUnsharded("me", 10, SHORT, 5, null).get(0);
        ClaimedMessage current =
                await(() -> store().claimUnsharded("me", 10, LONG, 5, null)).get(0);

        assertThat(settle(Settlement.delivered(slow))).isZero();
        assertThat(stored(message).status()).isEqualTo(MessageStatus.CLAIMED);
        assertThat(settle(Settlement.delivered(current))).isEqualTo(1);
    }

    @Test
    @Tag("R1.13")
    default void anUnshardedRetryIsClaimedWhenItsTimeHasCome() {
        enqueue(unkeyed());
        ClaimedMessage claimed = store().claimUnsharded("me", 10, LONG, 5, null).get(0);

        settle(Settlement.retry(claimed, SHORT, "broken", false));

        assertThat(await(() -> store().claimUnsharded("me", 10, LONG, 5, null)))
                .singleElement()
                .extracting(ClaimedMessage::attempt)
                .isEqualTo(2);
    }

    @Test
    default void aRelayLeavesAnUnshardedClaimAloneUntilItsTimeIsOver() {
        enqueue(keyed("42"));
        store().claimUnsharded("me", 10, LONG, 5, null);
        join("a");
        handOver("a", "b");

        assertThat(fetchAll("b")).isEmpty();
    }

    @Test
    default void aRelayFetchesAnExpiredUnshardedClaimWithItsNextAttempt() {
        OutboxMessage message = keyed("42");
        enqueue(message);
        store().claimUnsharded("me", 10, SHORT, 5, null);
        join("a");

        List<ClaimedMessage> fetched = await(() -> fetchAll("a"));

        assertThat(fetched).singleElement().extracting(ClaimedMessage::attempt).isEqualTo(2);
        assertThat(settle(Settlement.delivered(fetched.get(0)))).isEqualTo(1);
        assertThat(stored(message).status()).isEqualTo(MessageStatus.DELIVERED);
        assertThat(stored(message).attempts()).isEqualTo(2);
    }

    @Test
    default void aRelayFetchesARetryWhoseUnshardedClaimExpired() {
        enqueue(unkeyed());
        ClaimedMessage claimed = store().claimUnsharded("me", 10, LONG, 5, null).get(0);
        settle(Settlement.retry(claimed, Duration.ZERO, "broken", false));
        await(() -> store().claimUnsharded("me", 10, SHORT, 5, null));
        join("a");

        assertThat(awaitDue("a").attempt()).isEqualTo(3);
    }

    @Test
    default void anUnshardedClaimThatExpiredCannotBeSettledAfterARelayHasSettled() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        ClaimedMessage slow = store().claimUnsharded("me", 10, SHORT, 5, null).get(0);
        join("a");
        ClaimedMessage fetched = await(() -> fetchAll("a")).get(0);
        settle(Settlement.dead(fetched, "never", false));

        assertThat(settle(Settlement.delivered(slow))).isZero();
        assertThat(stored(message).status()).isEqualTo(MessageStatus.DEAD);
    }

    @Test
    @Tag("R0.4")
    default void anUnshardedClaimLeavesAloneWhatALiveRelayHasInFlight() {
        OutboxMessage fresh = keyed("1");
        OutboxMessage retried = keyed("2");
        enqueue(fresh, retried);
        join("a");
        List<ClaimedMessage> fetched = fetchAll("a");
        settle(Settlement.retry(fetched.get(1), Duration.ZERO, "broken", false));
        ClaimedMessage due = awaitDue("a");

        assertThat(store().claimUnsharded("me", 10, LONG, 5, null)).isEmpty();
        end("a", fetched);
        assertThat(ids(store().claimUnsharded("me", 10, LONG, 5, null))).containsExactly(fresh.id());
        assertThat(settle(Settlement.delivered(due))).isEqualTo(1);
    }

    @Test
    @Tag("R0.4")
    default void anUnshardedClaimTakesWhatADeadRelayHadInFlight() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        ClaimedMessage fetched = fetchOne("a");
        store().renew("a", SHORT);

        List<ClaimedMessage> claimed = await(() -> store().claimUnsharded("me", 10, LONG, 5, null));

        assertThat(ids(claimed)).containsExactly(message.id());
        assertThat(stored(message).claimedBy()).isEqualTo("me");
        assertThat(settle(Settlement.delivered(fetched)))
                .as("the relay still owns the shard, but the row has changed")
                .isZero();
        assertThat(fetchAll("a")).as("until the claim expires").isEmpty();
        assertThat(settle(Settlement.delivered(claimed.get(0)))).isEqualTo(1);
    }

    @Test
    default void anUnshardedClaimDoesNotTakeWhatWaitsBehindAHolder() {
        join("a");
        List<OutboxMessage> messages = blockedKey("a", "42", 2);

        List<ClaimedMessage> claimed = await(() -> store().claimUnsharded("me", 10, LONG, 5, null));

        assertThat(ids(claimed)).containsExactly(messages.get(0).id());
        settle(Settlement.delivered(claimed.get(0)));
        assertThat(ids(await(() -> store().claimUnsharded("me", 10, LONG, 5, null))))
                .containsExactly(messages.get(1).id());
    }

    @Test
    @Tag("R0.4")
    default void ownersThatClaimAtTheSameTimeGetDifferentMessages() throws Exception {
        OutboxMessage[] messages =
                IntStream.range(0, 200).mapToObj(i -> keyed("key-" + i)).toArray(OutboxMessage[]::new);
        enqueue(messages);
        int owners = 4;
        CyclicBarrier start = new CyclicBarrier(owners);
        ExecutorService executor = Executors.newFixedThreadPool(owners);
        try {
            List<Future<List<UUID>>> loops = new ArrayList<>();
            for (int i = 0; i < owners; i++) {
                loops.add(executor.submit(loop("owner-" + i, start)));
            }

            List<UUID> claimed = new ArrayList<>();
            for (Future<List<UUID>> loop : loops) {
                claimed.addAll(loop.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            }
            claimed.addAll(ids(store().claimUnsharded("last", 200, LONG, 5, null)));
            assertThat(claimed)
                    .doesNotHaveDuplicates()
                    .containsExactlyInAnyOrder(IntStream.range(0, 200)
                            .mapToObj(i -> messages[i].id())
                            .toArray(UUID[]::new));
        } finally {
            executor.shutdownNow();
        }
    }

    private Callable<List<UUID>> loop(String owner, CyclicBarrier start) {
        return () -> {
            List<UUID> claimed = new ArrayList<>();
            start.await();
            List<ClaimedMessage> batch = store().claimUnsharded(owner, 7, LONG, 5, null);
            while (!batch.isEmpty()) {
                claimed.addAll(ids(batch));
                batch = store().claimUnsharded(owner, 7, LONG, 5, null);
            }
            return claimed;
        };
    }
}
