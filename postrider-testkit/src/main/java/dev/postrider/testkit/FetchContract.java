package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicFilter;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A fetch reads what the relay may deliver, in order, and changes no row. */
interface FetchContract extends StoreSteps {

    @Test
    @Tag("R1.8")
    @Tag("R3.2")
    default void messagesAreFetchedInEnqueueOrder() {
        List<OutboxMessage> messages = several(20);
        join("a");

        List<ClaimedMessage> fetched = fetchAll("a");

        assertThat(ids(fetched))
                .containsExactlyElementsOf(
                        messages.stream().map(OutboxMessage::id).toList());
        assertThat(fetched).extracting(ClaimedMessage::seq).isSorted().doesNotHaveDuplicates();
    }

    @Test
    default void aFetchedMessageNamesItsRelayEpochAndToken() {
        OutboxMessage message = keyed("42");
        enqueue(message);
        join("a");
        handOver("a", "b");
        FetchRequest request = request("b");

        ClaimedMessage fetched = fetch(request).get(0);

        assertThat(fetched.claimedBy()).isEqualTo("b");
        assertThat(fetched.shard()).isEqualTo(Shards.of(message));
        assertThat(fetched.epoch()).isEqualTo(request.epochs().get(fetched.shard()));
        assertThat(fetched.token()).isEqualTo(request.token());
    }

    @Test
    @Tag("R0.4")
    default void messagesInFlightAreNotFetchedAgain() {
        several(3);
        join("a");
        List<ClaimedMessage> inFlight = fetchAll("a");

        assertThat(fetch(request("a", inFlight))).isEmpty();
        assertThat(fetch(request("a", inFlight.subList(0, 2))))
                .singleElement()
                .extracting(ClaimedMessage::seq)
                .isEqualTo(inFlight.get(2).seq());
        assertThat(store().claimUnsharded("me", 10, LONG, 5, null)).isEmpty();
    }

    @Test
    default void aRetryInFlightIsNotFetchedAgain() {
        enqueue(unkeyed());
        join("a");
        settle(Settlement.retry(fetchOne("a"), Duration.ZERO, "broken", false));
        ClaimedMessage inFlight = awaitDue("a");

        assertThat(store().fetchDue(request("a", List.of(inFlight)), null).rows())
                .isEmpty();
    }

    @Test
    default void aRepeatedFetchReturnsTheSameRowsAndCountsNothingTwice() {
        several(3);
        join("a");
        List<ClaimedMessage> first = fetchAll("a");

        List<ClaimedMessage> second = fetchAll("a");

        assertThat(ids(second)).containsExactlyElementsOf(ids(first));
        assertThat(second).allSatisfy(fetched -> {
            assertThat(fetched.attempt()).isEqualTo(1);
            assertThat(fetched.lostClaims()).isZero();
        });
    }

    @Test
    default void aRepeatedFetchOfDueMessagesCountsNothingTwice() {
        enqueue(unkeyed());
        join("a");
        settle(Settlement.retry(fetchOne("a"), Duration.ZERO, "broken", false));
        awaitDue("a");

        assertThat(due("a")).singleElement().satisfies(fetched -> {
            assertThat(fetched.attempt()).isEqualTo(2);
            assertThat(fetched.lostClaims()).isZero();
        });
    }

    @Test
    default void aFetchLeavesTheRowsAsTheyAre() {
        OutboxMessage fresh = keyed("1");
        OutboxMessage retried = keyed("2");
        enqueue(fresh, retried);
        join("a");
        List<ClaimedMessage> first = fetchAll("a");
        settle(Settlement.retry(first.get(1), Duration.ZERO, "broken", true));
        end("a", first);
        StoredMessage freshBefore = stored(fresh);
        StoredMessage retriedBefore = stored(retried);

        List<ClaimedMessage> fetched = new ArrayList<>(fetchAll("a"));
        fetched.add(awaitDue("a"));
        end("a", fetched);

        assertThat(fetched).hasSize(2);
        assertThat(stored(fresh)).usingRecursiveComparison().isEqualTo(freshBefore);
        // More than one fetch may have been needed until the retry was due; each has left an entry in the journal.
        store().leave("a");
        assertThat(stored(retried)).usingRecursiveComparison().isEqualTo(retriedBefore);
    }

    @Test
    default void aFetchDoesNotWaitForALockedRow() {
        OutboxMessage locked = keyed("1");
        OutboxMessage other = keyed("2");
        enqueue(locked, other);
        join("a");
        Optional<OutboxTransaction> lock = lockRow(locked.id());
        try {
            assertThat(ids(fetchAll("a"))).containsExactly(locked.id(), other.id());
        } finally {
            lock.ifPresent(OutboxTransaction::close);
        }
    }

    @Test
    @Tag("B1")
    default void nothingIsFetchedInAShardTheRelayDoesNotOwn() {
        OutboxMessage ours = keyed("ours");
        OutboxMessage theirs = inAnotherShard(ours);
        enqueue(theirs, ours);
        join("a", Set.of(Shards.of(ours)));

        assertThat(ids(fetchAll("a"))).containsExactly(ours.id());
    }

    @Test
    default void nothingIsFetchedInAShardThatWasNotAskedFor() {
        OutboxMessage asked = keyed("asked");
        enqueue(asked, inAnotherShard(asked));
        join("a");

        Map<Integer, Long> epochs = new HashMap<>(request("a").epochs());
        epochs.keySet().retainAll(Set.of(Shards.of(asked)));
        FetchRequest one =
                new FetchRequest("a", epochs, TopicFilter.ALL, PLENTY, Set.of(), TOKENS.incrementAndGet(), Set.of());

        assertThat(ids(fetch(one))).containsExactly(asked.id());
    }

    @Test
    @Tag("B1")
    default void anExpiredRelayFetchesNothing() {
        OutboxMessage message = unkeyed();
        OutboxMessage retried = unkeyed();
        enqueue(message, retried);
        join("a");
        List<ClaimedMessage> fetched = fetchAll("a");
        settle(Settlement.retry(fetched.get(1), Duration.ZERO, "broken", false));
        awaitDue("a");
        FetchRequest request = request("a");
        FetchRequest dueRequest = request("a");
        store().renew("a", SHORT);

        awaitDeath("a", "b");

        assertNothingWasFetched(fetch(request, SeqRange.above(7)), 7);
        assertThat(store().fetchDue(dueRequest, null).rows()).isEmpty();
    }

    @Test
    @Tag("B1")
    default void aRelayThatLostOneOfItsShardsFetchesNothingAndPassesNoRow() {
        OutboxMessage kept = keyed("kept");
        OutboxMessage lost = inAnotherShard(kept);
        enqueue(kept, lost);
        join("a");
        FetchRequest request = request("a");

        store().release(
                        "a",
                        store().renew("a", LONG).owned().stream()
                                .filter(owned -> owned.shard() == Shards.of(lost))
                                .toList());
        FetchedPage released = fetch(request, SeqRange.above(0));
        join("b");
        FetchedPage taken = fetch(request, SeqRange.above(0));

        assertNothingWasFetched(released, 0);
        assertNothingWasFetched(taken, 0);
        assertThat(ids(fetchAll("a"))).containsExactly(kept.id());
        assertThat(ids(fetchAll("b"))).containsExactly(lost.id());
    }

    @Test
    @Tag("B1")
    default void aRelayThatOwnsAShardUnderANewerEpochFetchesNothingUnderTheOld() {
        enqueue(unkeyed());
        join("a");
        FetchRequest old = request("a");
        store().release("a", store().renew("a", LONG).owned());
        join("a");

        assertNothingWasFetched(fetch(old, SeqRange.above(0)), 0);
        assertThat(fetchAll("a")).hasSize(1);
    }

    private static void assertNothingWasFetched(FetchedPage page, long after) {
        assertThat(page.rows()).isEmpty();
        assertThat(page.scannedTo()).isEqualTo(after);
        assertThat(page.full()).isTrue();
        assertThat(page.holes()).isEmpty();
    }

    @Test
    default void closedTopicsAreLeftAloneAndFoundAgainInTheOldRange() {
        OutboxMessage closed = OutboxMessage.to("closed", "Placed").build();
        OutboxMessage sameNameElsewhere =
                OutboxMessage.to("closed", "Placed").namespace("other").build();
        OutboxMessage open = unkeyed();
        enqueue(closed, open, sameNameElsewhere);
        join("a");
        TopicName topic = TopicName.of(closed);

        FetchedPage page = fetch(request("a", TopicFilter.allBut(Set.of(topic))), SeqRange.above(0));

        assertThat(page.rows())
                .extracting(row -> row.claimed().message().id())
                .containsExactly(open.id(), sameNameElsewhere.id());
        assertThat(stored(closed).attempts()).isZero();
        FetchedPage again = fetch(request("a", TopicFilter.only(topic)), new SeqRange(0, page.scannedTo()));
        assertThat(again.rows())
                .singleElement()
                .extracting(row -> row.claimed().message().id())
                .isEqualTo(closed.id());
        assertThat(again.scannedTo()).isEqualTo(page.scannedTo());
    }

    @Test
    default void dueMessagesOfClosedTopicsAreLeftAlone() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        settle(Settlement.retry(fetchOne("a"), Duration.ZERO, "broken", false));
        TopicName topic = TopicName.of(message);
        assertThat(awaitDue("a").message().id()).isEqualTo(message.id());

        List<FetchedRow> others = store().fetchDue(request("a", TopicFilter.allBut(Set.of(topic))), null)
                .rows();
        List<FetchedRow> only =
                store().fetchDue(request("a", TopicFilter.only(topic)), null).rows();

        assertThat(others).isEmpty();
        assertThat(only).hasSize(1);
    }

    @Test
    @Tag("R1.14")
    @Tag("B1")
    default void aNewOwnerFetchesAtOnceWhatTheOldOneHadInFlight() {
        OutboxMessage message = keyed("42");
        enqueue(message);
        join("a");
        fetchAll("a");

        takeOver("a", "b");

        ClaimedMessage again = fetchOne("b");
        assertThat(again.message().id()).isEqualTo(message.id());
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(again.lostClaims()).isEqualTo(1);
        assertThat(stored(message).claimedBy()).isEqualTo("b");
    }

    @Test
    default void aLostRetryIsFetchedAgainAmongTheDue() {
        enqueue(keyed("42"));
        join("a");
        settle(Settlement.retry(fetchOne("a"), Duration.ZERO, "broken", true));
        awaitDue("a");

        takeOver("a", "b");

        assertThat(fetchAll("b")).isEmpty();
        ClaimedMessage again = awaitDue("b");
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(again.lostClaims()).isEqualTo(1);
        assertThat(again.held()).isTrue();
    }

    @Test
    @Tag("R0.4")
    default void relaysThatFetchAtTheSameTimeGetDifferentMessages() throws Exception {
        List<OutboxMessage> messages = several(200);
        join("a", Set.copyOf(IntStream.range(0, 32).boxed().toList()));
        join("b");
        CyclicBarrier start = new CyclicBarrier(2);
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try {
            List<Future<List<ClaimedMessage>>> fetches = new ArrayList<>();
            for (String relay : List.of("a", "b")) {
                fetches.add(executor.submit(() -> {
                    start.await();
                    return fetchAll(relay);
                }));
            }

            List<UUID> fetched = new ArrayList<>();
            for (Future<List<ClaimedMessage>> each : fetches) {
                fetched.addAll(ids(each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)));
            }
            assertThat(fetched)
                    .containsExactlyInAnyOrderElementsOf(
                            messages.stream().map(OutboxMessage::id).toList());
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    default void aMessageThatIsNotPendingIsNotFetched() {
        OutboxMessage pending = keyed("4");
        enqueue(keyed("1"), keyed("2"), keyed("3"));
        join("a");
        List<ClaimedMessage> fetched = fetchAll("a");
        settle(
                Settlement.delivered(fetched.get(0)),
                Settlement.dead(fetched.get(1), "never", false),
                Settlement.retry(fetched.get(2), LONG, "broken", false));

        enqueue(pending);

        assertThat(ids(fetchAll("a"))).containsExactly(pending.id());
        assertThat(due("a")).isEmpty();
        assertThat(stored(pending).status()).isEqualTo(MessageStatus.CLAIMED);
    }
}
