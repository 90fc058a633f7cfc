package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayHealth;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.RelayMode;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicFilter;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a relay does on every store, in real time. A store proves itself by a subclass that hands it over; every test
 * has to begin with an empty outbox in which no relay lives, and with a store whose clock runs.
 */
public abstract class RelayContract extends RelayDeliveryContract {

    /** For subclasses. */
    protected RelayContract() {}

    @Test
    void aPausedRelayDeliversNothingUntilItIsResumed() {
        Relay relay = start(relay());
        relay.pause();
        relay.drain(PATIENCE);
        OutboxMessage message = message("42");
        enqueue(message);

        assertThat(happensWithinAMoment(() -> status(message) == MessageStatus.DELIVERED))
                .isFalse();

        relay.resume();
        awaitDelivered(message);
    }

    @Test
    void aPausedTopicWaitsAndOthersGoOn() {
        OutboxMessage waits = message("42");
        OutboxMessage goesOn = OutboxMessage.to("invoices", "Placed").build();
        Relay relay = start(relay());
        relay.pause(TopicName.of(waits));

        enqueue(waits, goesOn);

        awaitDelivered(goesOn);
        assertThat(happensWithinAMoment(() -> status(waits) == MessageStatus.DELIVERED))
                .isFalse();
        assertThat(attempts(waits)).isZero();
        relay.resume(TopicName.of(waits));
        awaitDelivered(waits);
    }

    @Test
    void operatorsPauseARelayOfAnotherProcessAndItsOwnProcessCannotUndoThat() {
        Relay relay = start(relay());
        await(() -> relay.health().state() == RelayHealth.State.RUNNING);

        relays().setModeOfAll(RelayMode.PAUSE, DECISION);
        await(() -> relay.health().state() == RelayHealth.State.PAUSED);
        relay.pause();
        relay.resume();
        OutboxMessage message = message("42");
        enqueue(message);

        assertThat(happensWithinAMoment(() -> status(message) == MessageStatus.DELIVERED))
                .isFalse();
        relays().setModeOfAll(RelayMode.RUN, DECISION);
        awaitDelivered(message);
    }

    @Test
    void aDrainedRelayHandsItsShardsOverAndStandsBy() {
        Relay drained = start(relay().name("drained"));
        Relay other = start(relay().name("other"));
        await(() -> drained.health().ownedShards() == 32 && other.health().ownedShards() == 32);

        relays().setMode(drained.name(), RelayMode.DRAIN, DECISION);

        await(() -> drained.health().ownedShards() == 0 && other.health().ownedShards() == Shards.COUNT);
        OutboxMessage[] messages = messages(20, 1);
        enqueue(messages);
        awaitDelivered(messages);
        assertThat(drained.health().state()).isEqualTo(RelayHealth.State.STANDBY);
        relays().setMode(drained.name(), RelayMode.RUN, DECISION);
        await(() -> drained.health().ownedShards() == 32 && other.health().ownedShards() == 32);
    }

    @Test
    void aTopicPausedByOperatorsIsSentByNoRelayAlsoAfterARestart() {
        OutboxMessage waits = message("42");
        OutboxMessage goesOn = OutboxMessage.to("invoices", "Placed").build();
        relays().pauseTopic(TopicName.of(waits), DECISION);
        enqueue(waits);
        start(relay()).close();
        Relay relay = start(relay());
        enqueue(goesOn);

        awaitDelivered(goesOn);
        assertThat(happensWithinAMoment(() -> status(waits) == MessageStatus.DELIVERED))
                .isFalse();
        assertThat(relay.health().closedTopics()).as("it is not out of reach").isEmpty();
        relays().resumeTopic(TopicName.of(waits), DECISION);
        awaitDelivered(waits);
        await(() -> relays().relays(10).stream()
                .anyMatch(each -> Objects.requireNonNull(each.report()).delivered() == 2));
    }

    @Test
    void drainingWaitsForTheBroker() {
        enqueue(message("42"));
        publisher.hold();
        Relay relay = start(relay());
        await(() -> publisher.held() == 1);

        assertThat(relay.drain(MOMENT)).isFalse();
        publisher.releaseHeld();

        assertThat(relay.drain(PATIENCE)).isTrue();
        assertThat(relay.health().inFlight()).isZero();
    }

    @Test
    @Tag("R1.16")
    void aClosedRelayGivesBackWhatItDidNotSendAndItsShards() throws Exception {
        OutboxMessage[] messages = messages(1, 20);
        enqueue(messages);
        publisher.hold();
        Relay first = start(relay());
        await(() -> publisher.held() == 1);

        whileClosing(first, publisher::releaseHeld);

        assertThat(first.health().ownedShards()).isZero();
        assertThat(status(messages[0])).isEqualTo(MessageStatus.DELIVERED);
        assertThat(messages)
                .filteredOn(each -> status(each) == MessageStatus.CLAIMED)
                .isEmpty();
        assertThat(attempts(messages[messages.length - 1])).isZero();
        Membership after = store().renew("witness", Duration.ofSeconds(1));
        assertThat(after.free()).hasSize(Shards.COUNT);
        assertThat(after.relays()).containsExactly("witness");
        store().leave("witness");
        start(relay());
        awaitDelivered(messages);
        assertInOrder(1);
        assertThat(publisher.broker().received()).hasSize(messages.length);
    }

    @Test
    @Tag("R1.14")
    void twoRelaysShareTheWorkAndOneGoesOnAlone() {
        OutboxMessage[] early = messages(20, 10);
        OutboxMessage[] late = messages(20, 10);
        Relay first = start(relay());
        Relay second = start(relay());
        await(() -> first.health().ownedShards() == Shards.COUNT / 2
                && second.health().ownedShards() == Shards.COUNT / 2);

        enqueue(early);
        first.close();
        enqueue(late);

        awaitDelivered(early);
        awaitDelivered(late);
        await(() -> second.health().ownedShards() == Shards.COUNT);
        assertInOrder(20);
        assertThat(publisher.broker().received()).hasSize(early.length + late.length);
    }

    @Test
    void aBrokerThatIsAwayBurnsNoAttempts() {
        OutboxMessage[] messages = messages(3, 3);
        publisher.always(any -> true, PublishResult.unavailable("away"));
        enqueue(messages);
        start(relay().retry(quickly(1)));
        await(() -> admin().closedTopics().stream()
                .anyMatch(closed -> closed.error().equals("away")));

        publisher.recover();

        awaitDelivered(messages);
        await(() -> admin().closedTopics().isEmpty());
        assertThat(messages).allSatisfy(each -> assertThat(attempts(each)).isEqualTo(1));
        assertInOrder(3);
    }

    @Test
    void aStoreThatBreaksBurnsNoAttempts() {
        OutboxMessage[] messages = messages(5, 10);
        FlakyStore flaky = new FlakyStore(store())
                .failNext("fetch", 1)
                .loseAnswers("fetch", 2)
                .failNext("fetchDue", 1)
                .loseAnswers("fetchDue", 1)
                .failNext("settle", 1)
                .loseAnswers("settle", 2)
                .failNext("renew", 1)
                .loseAnswers("acquire", 1);
        enqueue(messages);

        start(relay(flaky.asStore()));

        awaitDelivered(messages);
        await(flaky::isHealthy);
        assertThat(messages).allSatisfy(each -> assertThat(attempts(each)).isEqualTo(1));
        assertInOrder(5);
    }

    @Test
    @Tag("R4.4")
    void claimsOfAProcessThatDiedAreRecoveredAndCounted() {
        OutboxMessage[] messages = messages(3, 1);
        enqueue(messages);
        store().renew("dead", PATIENCE);
        Map<Integer, Long> epochs =
                store()
                        .acquire(
                                "dead", IntStream.range(0, Shards.COUNT).boxed().collect(Collectors.toSet()))
                        .shards()
                        .stream()
                        .collect(Collectors.toMap(OwnedShard::shard, OwnedShard::epoch));
        FetchRequest request =
                new FetchRequest("dead", epochs, TopicFilter.ALL, new ClaimSize(100, 1 << 20), Set.of(), 1, Set.of());
        assertThat(store().fetch(request, SeqRange.above(0), 100).rows()).hasSize(3);
        store().renew("dead", MOMENT);
        AtomicInteger recovered = new AtomicInteger();

        start(relay().listener(new RelayListener() {
            @Override
            public void claimsRecovered(int claims) {
                recovered.addAndGet(claims);
            }
        }));

        awaitDelivered(messages);
        assertThat(recovered).hasValue(3);
        OutboxMessage sound = message("42");
        enqueue(sound);
        awaitDelivered(sound);
        assertThat(recovered).as("nobody had lost this one").hasValue(3);
    }

    @Test
    @Tag("B2")
    void aWakenedRelayLooksAtOnce() {
        AtomicLong lastLook = new AtomicLong(System.nanoTime());
        AtomicLong lastWait = new AtomicLong();
        Relay relay = start(Relay.builder(store(), publisher)
                .pollInterval(Duration.ofHours(1))
                .claimFor(Duration.ofHours(3))
                .listener(new RelayListener() {
                    @Override
                    public void polled(int claimed, boolean full, Duration took) {
                        long now = System.nanoTime();
                        lastWait.set(now - lastLook.getAndSet(now));
                    }
                }));
        boolean atOnce = false;

        // An idle relay doubles its wait from look to look: where the machine is too slow for one, a longer one
        // follows.
        for (Duration wait = MOMENT; !atOnce && wait.compareTo(PATIENCE) < 0; wait = wait.multipliedBy(2)) {
            long longEnough = wait.toNanos();
            await(() -> lastWait.get() >= longEnough);
            long look = lastLook.get();
            OutboxMessage message = message("42");
            enqueue(message);
            relay.wake();
            awaitDelivered(message);
            atOnce = System.nanoTime() - look < longEnough;
        }

        assertThat(atOnce)
                .as("delivered sooner than the relay would have looked by itself")
                .isTrue();
    }
}
