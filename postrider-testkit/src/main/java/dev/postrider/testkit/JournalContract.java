package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.Acquired;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The in-flight journal shows what relays are sending, and what a relay that died was sending. It fences nothing. */
interface JournalContract extends StoreSteps {

    @Test
    @Tag("R1.8")
    @Tag("R4.9")
    default void aMessageInFlightIsClaimedByItsRelay() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");

        fetchAll("a");

        StoredMessage stored = stored(message);
        assertThat(stored.status()).isEqualTo(MessageStatus.CLAIMED);
        assertThat(stored.attempts()).isEqualTo(1);
        assertThat(stored.claimedBy()).isEqualTo("a");
        assertThat(stored.times().updated()).isAfterOrEqualTo(stored.times().created());
        assertThat(stored.times().claimedUntil())
                .isCloseTo(stored.times().updated().plus(LONG), within(1, ChronoUnit.SECONDS));
    }

    @Test
    default void aMessageIsPendingAgainWhenItsEntryHasEnded() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        StoredMessage before = stored(message);
        List<ClaimedMessage> fetched = fetchAll("a");
        assertThat(shown(MessageStatus.CLAIMED)).containsExactly(message.id());
        assertThat(shown(MessageStatus.PENDING)).isEmpty();

        end("a", fetched);

        assertThat(shown(MessageStatus.CLAIMED)).isEmpty();
        assertThat(shown(MessageStatus.PENDING)).containsExactly(message.id());
        assertThat(stored(message)).usingRecursiveComparison().isEqualTo(before);
    }

    @Test
    default void onlyTheEntriesThatHaveEndedAreRemoved() {
        OutboxMessage ended = keyed("1");
        OutboxMessage inFlight = keyed("2");
        enqueue(ended);
        join("a");
        List<ClaimedMessage> first = fetchAll("a");
        enqueue(inFlight);
        fetch(request("a", first));

        end("a", first);

        assertThat(shown(MessageStatus.CLAIMED)).containsExactly(inFlight.id());
    }

    @Test
    default void aDueMessageInFlightIsClaimedToo() {
        OutboxMessage message = keyed("42");
        enqueue(message);
        join("a");
        settle(Settlement.retry(fetchOne("a"), Duration.ZERO, "broken", true));
        assertThat(stored(message).status()).isEqualTo(MessageStatus.PENDING);

        awaitDue("a");

        StoredMessage stored = stored(message);
        assertThat(stored.status()).isEqualTo(MessageStatus.CLAIMED);
        assertThat(stored.attempts()).isEqualTo(2);
        assertThat(stored.claimedBy()).isEqualTo("a");
        assertThat(stored.lastError()).isEqualTo("broken");
        assertThat(shown(MessageStatus.CLAIMED)).containsExactly(message.id());
        assertThat(shown(MessageStatus.PENDING)).isEmpty();
    }

    @Test
    default void aSettledMessageIsNotClaimedThoughItsEntryLasts() {
        OutboxMessage delivered = keyed("1");
        OutboxMessage retried = keyed("2");
        OutboxMessage dead = keyed("3");
        OutboxMessage inFlight = keyed("4");
        enqueue(delivered, retried, dead, inFlight);
        join("a");
        List<ClaimedMessage> fetched = fetchAll("a");

        settle(
                Settlement.delivered(fetched.get(0)),
                Settlement.retry(fetched.get(1), LONG, "broken", false),
                Settlement.dead(fetched.get(2), "never", false));

        assertThat(stored(delivered).status()).isEqualTo(MessageStatus.DELIVERED);
        assertThat(stored(retried).status()).isEqualTo(MessageStatus.PENDING);
        assertThat(stored(retried).attempts()).isEqualTo(1);
        assertThat(stored(dead).status()).isEqualTo(MessageStatus.DEAD);
        assertThat(shown(MessageStatus.CLAIMED)).containsExactly(inFlight.id());
    }

    @Test
    default void aMessageInTwoEntriesIsShownOnce() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        List<ClaimedMessage> withoutAnswer = fetchAll("a");

        fetchAll("a");

        assertThat(shown(MessageStatus.CLAIMED)).containsExactly(message.id());
        assertThat(stored(message).attempts()).isEqualTo(1);
        assertThat(admin().stats().pending()).isEqualTo(1);
        end("a", withoutAnswer);
        assertThat(shown(MessageStatus.CLAIMED)).containsExactly(message.id());
    }

    @Test
    @Tag("R4.8")
    default void statsCountMessagesInFlightAsPending() {
        OutboxMessage retried = keyed("2");
        enqueue(keyed("1"), retried);
        join("a");
        settle(Settlement.retry(fetchAll("a").get(1), Duration.ZERO, "broken", false));
        awaitDue("a");

        assertThat(admin().stats().pending()).isEqualTo(2);
        assertThat(admin().stats().waiting()).isZero();
    }

    @Test
    default void aRelayThatLeavesTakesItsJournalWithIt() {
        OutboxMessage message = unkeyed();
        enqueue(message);
        join("a");
        fetchAll("a");

        store().leave("a");

        assertThat(stored(message).status()).isEqualTo(MessageStatus.PENDING);
        assertThat(stored(message).attempts()).isZero();
        store().renew("b", LONG);
        assertThat(store().acquire("b", ALL_SHARDS).lostClaims()).isZero();
        assertThat(fetchOne("b").lostClaims()).isZero();
    }

    @Test
    @Tag("R4.4")
    default void aTakeOverCountsEveryLostClaimOnce() {
        OutboxMessage retried = keyed("1");
        enqueue(retried);
        join("a");
        settle(Settlement.retry(fetchOne("a"), Duration.ZERO, "broken", false));
        enqueue(keyed("2"), keyed("3"));
        awaitDue("a");
        fetchAll("a");
        fetchAll("a");
        enqueue(keyed("never fetched"));

        Acquired first = takeOver("a", "b");
        Acquired nothingInFlight = takeOver("b", "c");

        assertThat(first.lostClaims()).isEqualTo(3);
        assertThat(first.shards()).hasSize(Shards.COUNT);
        assertThat(nothingInFlight.lostClaims()).isZero();
        assertThat(fetchAll("c")).extracting(ClaimedMessage::lostClaims).containsExactly(1, 1, 0);
        assertThat(awaitDue("c").lostClaims()).isEqualTo(1);
    }

    @Test
    @Tag("R4.4")
    default void everyDeathCounts() {
        enqueue(unkeyed());
        join("a");
        fetchAll("a");
        takeOver("a", "b");
        fetchAll("b");

        takeOver("b", "c");

        assertThat(fetchOne("c").lostClaims()).isEqualTo(2);
    }

    @Test
    @Tag("R4.4")
    default void aTakeOverCountsLostClaimsOnlyInTheShardsItTook() {
        OutboxMessage early = keyed("early");
        OutboxMessage late = inAnotherShard(early);
        enqueue(early, late);
        join("a");
        fetchAll("a");

        Acquired one = takeOver("a", "b", Set.of(Shards.of(early)));
        store().renew("c", LONG);
        Acquired others = store().acquire("c", ALL_SHARDS);

        assertThat(one.lostClaims()).isEqualTo(1);
        assertThat(one.shards()).extracting(OwnedShard::shard).containsExactly(Shards.of(early));
        assertThat(others.lostClaims()).isEqualTo(1);
        assertThat(fetchOne("b").lostClaims()).isEqualTo(1);
        assertThat(fetchOne("c").lostClaims()).isEqualTo(1);
    }

    @Test
    @Tag("R4.4")
    default void whatWasSettledBeforeTheDeathIsNoLostClaim() {
        OutboxMessage delivered = keyed("1");
        enqueue(delivered, keyed("2"), keyed("3"), keyed("4"));
        join("a");
        List<ClaimedMessage> fetched = fetchAll("a");
        settle(
                Settlement.delivered(fetched.get(0)),
                Settlement.retry(fetched.get(1), Duration.ZERO, "broken", false),
                Settlement.dead(fetched.get(2), "never", false));

        Acquired acquired = takeOver("a", "b");

        assertThat(acquired.lostClaims()).isEqualTo(1);
        assertThat(fetchOne("b").lostClaims()).isEqualTo(1);
        assertThat(awaitDue("b").lostClaims()).isZero();
    }

    @Test
    default void anEntryThatHasEndedIsNoLostClaim() {
        enqueue(unkeyed());
        join("a");
        end("a", fetchAll("a"));

        assertThat(takeOver("a", "b").lostClaims()).isZero();
        assertThat(fetchOne("b").lostClaims()).isZero();
    }

    @Test
    default void aShardThatWasReleasedBringsNoLostClaims() {
        enqueue(unkeyed());
        join("a");
        fetchAll("a");

        store().release("a", store().renew("a", LONG).owned());
        store().renew("b", LONG);

        assertThat(store().acquire("b", ALL_SHARDS).lostClaims()).isZero();
        assertThat(fetchOne("b").lostClaims()).isZero();
    }

    private List<UUID> shown(MessageStatus status) {
        return admin().list(status, 0, 100).stream()
                .map(stored -> stored.message().id())
                .toList();
    }
}
