package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
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

/** A claim takes what the relay may deliver, in order, and nothing else. */
interface ClaimContract extends StoreSteps {

    @Test
    @Tag("R1.8")
    @Tag("R3.2")
    default void messagesAreClaimedInEnqueueOrder() {
        List<OutboxMessage> messages = several(20);
        join("a");

        List<ClaimedMessage> claimed = claim("a");

        assertThat(ids(claimed))
                .containsExactlyElementsOf(
                        messages.stream().map(OutboxMessage::id).toList());
        assertThat(claimed).extracting(ClaimedMessage::seq).isSorted().doesNotHaveDuplicates();
    }

    @Test
    @Tag("R1.8")
    default void aClaimIsRecordedInTheRow() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");

        claim("a");

        StoredMessage stored = stored(message);
        assertThat(stored.status()).isEqualTo(MessageStatus.CLAIMED);
        assertThat(stored.attempts()).isEqualTo(1);
        assertThat(stored.claimedBy()).isEqualTo("a");
        assertThat(stored.times().updated()).isAfterOrEqualTo(stored.times().created());
        Instant end = stored.times().claimedUntil();
        assertThat(end).isCloseTo(stored.times().updated().plus(LONG), within(1, ChronoUnit.SECONDS));
    }

    @Test
    @Tag("R0.4")
    default void aClaimedMessageIsNotClaimedAgain() {
        several(3);
        join("a");
        claim("a");

        assertThat(claim("a")).isEmpty();
        assertThat(claimWaiting("a")).isEmpty();
        assertThat(store().claimUnsharded("me", 10, LONG, 5, null)).isEmpty();
    }

    @Test
    @Tag("B1")
    default void nothingIsClaimedInAShardTheRelayDoesNotOwn() {
        OutboxMessage ours = keyed("ours");
        OutboxMessage theirs = keyOfAnotherShard(ours);
        enqueue(theirs, ours);
        store().renew("a", LONG);
        store().acquire("a", Set.of(Shards.of(ours)));

        assertThat(ids(claim("a"))).containsExactly(ours.id());
    }

    @Test
    default void nothingIsClaimedInAShardThatWasNotAskedFor() {
        OutboxMessage asked = keyed("asked");
        enqueue(asked, keyOfAnotherShard(asked));
        join("a");

        ClaimRequest request =
                new ClaimRequest("a", Set.of(Shards.of(asked)), Set.of(), PLENTY, LONG, TOKENS.incrementAndGet());

        assertThat(ids(claim(request))).containsExactly(asked.id());
    }

    @Test
    @Tag("B1")
    default void anExpiredRelayClaimsNothing() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        store().renew("a", SHORT);
        store().renew("b", LONG);

        await(() -> store().renew("b", LONG).relays().contains("a") ? List.of() : List.of("gone"));

        assertThat(claim("a")).isEmpty();
        assertThat(claimWaiting("a")).isEmpty();
        assertThat(stored(message).status()).isEqualTo(MessageStatus.PENDING);
    }

    @Test
    default void closedTopicsAreLeftAloneAndFoundAgainInTheOldRange() {
        OutboxMessage closed = OutboxMessage.to("closed", "Placed").build();
        OutboxMessage sameNameElsewhere =
                OutboxMessage.to("closed", "Placed").namespace("other").build();
        OutboxMessage open = unkeyed();
        enqueue(closed, open, sameNameElsewhere);
        join("a");
        ClaimRequest request =
                new ClaimRequest("a", ALL_SHARDS, Set.of(TopicName.of(closed)), PLENTY, LONG, TOKENS.incrementAndGet());

        ClaimedBatch batch = store().claim(request, SeqRange.above(0));

        assertThat(ids(batch.messages())).containsExactly(open.id(), sameNameElsewhere.id());
        assertThat(stored(closed).attempts()).isZero();
        assertThat(ids(store().claim(request("a"), new SeqRange(0, batch.scannedTo()))
                        .messages()))
                .containsExactly(closed.id());
    }

    @Test
    default void waitingMessagesOfClosedTopicsAreLeftAlone() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        settle(Settlement.retry(claimOne("a"), Duration.ZERO, "broken", false));
        ClaimRequest request = new ClaimRequest(
                "a", ALL_SHARDS, Set.of(TopicName.of(message)), PLENTY, LONG, TOKENS.incrementAndGet());

        assertThat(store().claimWaiting(request)).isEmpty();
        assertThat(awaitWaiting("a").message().id()).isEqualTo(message.id());
    }

    @Test
    @Tag("R1.14")
    @Tag("B1")
    default void aNewOwnerClaimsAtOnceWhatTheOldOneHeld() {
        OutboxMessage message = keyed("42");
        enqueue(message);
        join("a");
        claim("a");

        takeOver("a", "b");

        ClaimedMessage again = claimOne("b");
        assertThat(again.message().id()).isEqualTo(message.id());
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(again.lostClaims()).isEqualTo(1);
        assertThat(stored(message).claimedBy()).isEqualTo("b");
    }

    @Test
    @Tag("R1.14")
    default void anExpiredClaimIsClaimedAgainAndCountedAsLost() {
        enqueue(unkeyed());
        join("a");
        claim(request("a", PLENTY, SHORT));

        List<ClaimedMessage> again = await(() -> claim("a"));

        assertThat(again).singleElement().satisfies(claimed -> {
            assertThat(claimed.attempt()).isEqualTo(1);
            assertThat(claimed.lostClaims()).isEqualTo(1);
        });
    }

    @Test
    default void aLostRetryIsClaimedAgainAmongTheWaiting() {
        enqueue(keyed("42"));
        join("a");
        settle(Settlement.retry(claimOne("a"), Duration.ZERO, "broken", true));
        awaitWaiting("a");

        takeOver("a", "b");

        assertThat(claim("b")).isEmpty();
        ClaimedMessage again = awaitWaiting("b");
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(again.lostClaims()).isEqualTo(1);
        assertThat(again.held()).isTrue();
    }

    @Test
    default void aRepeatedRequestGetsItsRowsAgainAndCountsNothingTwice() {
        several(3);
        join("a");
        ClaimRequest request = request("a");
        List<ClaimedMessage> first = claim(request);

        List<ClaimedMessage> second = claim(request);

        assertThat(ids(second)).containsExactlyElementsOf(ids(first));
        assertThat(second).allSatisfy(claimed -> {
            assertThat(claimed.attempt()).isEqualTo(1);
            assertThat(claimed.lostClaims()).isZero();
            assertThat(claimed.token()).isEqualTo(request.token());
        });
    }

    @Test
    default void aRepeatedRequestForWaitingMessagesCountsNothingTwice() {
        enqueue(unkeyed());
        join("a");
        settle(Settlement.retry(claimOne("a"), Duration.ZERO, "broken", false));
        ClaimRequest request = request("a");
        await(() -> store().claimWaiting(request));

        List<ClaimedMessage> second = store().claimWaiting(request);

        assertThat(second).singleElement().satisfies(claimed -> {
            assertThat(claimed.attempt()).isEqualTo(2);
            assertThat(claimed.lostClaims()).isZero();
        });
    }

    @Test
    @Tag("R0.4")
    default void relaysThatClaimAtTheSameTimeGetDifferentMessages() throws Exception {
        List<OutboxMessage> messages = several(200);
        Set<Integer> low = Set.copyOf(IntStream.range(0, 32).boxed().toList());
        store().renew("a", LONG);
        store().renew("b", LONG);
        store().acquire("a", low);
        store().acquire("b", ALL_SHARDS);
        CyclicBarrier start = new CyclicBarrier(4);
        ExecutorService executor = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<ClaimedMessage>>> claims = new ArrayList<>();
            for (String relay : List.of("a", "b", "a", "b")) {
                claims.add(executor.submit(() -> {
                    start.await();
                    return claim(relay);
                }));
            }

            List<UUID> claimed = new ArrayList<>();
            for (Future<List<ClaimedMessage>> each : claims) {
                claimed.addAll(ids(each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)));
            }
            assertThat(claimed).doesNotHaveDuplicates();
            claimed.addAll(ids(claim("a")));
            claimed.addAll(ids(claim("b")));
            assertThat(claimed)
                    .containsExactlyInAnyOrderElementsOf(
                            messages.stream().map(OutboxMessage::id).toList());
        } finally {
            executor.shutdownNow();
        }
    }

    private OutboxMessage keyOfAnotherShard(OutboxMessage message) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> keyed("other-" + i))
                .filter(other -> Shards.of(other) != Shards.of(message))
                .findFirst()
                .orElseThrow();
    }
}
