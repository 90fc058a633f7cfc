package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.Attempt;
import dev.postrider.admin.OutboxAdmin;
import dev.postrider.admin.StoredMessage;
import dev.postrider.relay.KeyPolicy;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.relay.RelayListener;
import dev.postrider.relay.RetryPolicy;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement.Outcome;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a relay does on every store, in real time. A store proves itself by a subclass that hands it over; every test
 * has to begin with an empty outbox in which no relay lives, and with a store whose clock runs.
 */
public abstract class RelayContract {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration MOMENT = Duration.ofMillis(300);

    private final FlakyPublisher publisher = new FlakyPublisher();
    private final List<Relay> relays = new ArrayList<>();

    /** For subclasses. */
    protected RelayContract() {}

    /** The store under test. */
    protected abstract OutboxStore store();

    /** What a person may do to the same outbox. */
    protected abstract OutboxAdmin admin();

    /** Begins a transaction of its own in the same outbox. */
    protected abstract OutboxTransaction begin();

    /** Changes the row of a committed message behind the store's back, so that it is no longer what was enqueued. */
    protected abstract void damage(UUID id);

    /** Undoes {@link #damage}. */
    protected abstract void repair(UUID id);

    @AfterEach
    void closeRelays() {
        publisher.recover();
        publisher.releaseHeld();
        relays.forEach(Relay::close);
    }

    @Test
    @Tag("R0.2")
    void everythingIsDeliveredOnceAndInOrderOfItsKey() {
        OutboxMessage[] messages = messages(10, 20);
        enqueue(messages);

        start(relay());

        awaitDelivered(messages);
        assertInOrder(10);
        assertThat(publisher.broker().received()).hasSize(messages.length);
    }

    @Test
    @Tag("B1")
    void theOrderOfAKeySurvivesAFlakyBroker() {
        OutboxMessage[] messages = messages(10, 20);
        enqueue(messages);
        publisher
                .failNext(7)
                .answerTwice(3)
                .ackThenThrow()
                .failNext(5)
                .unavailableNext(2)
                .failNext(11);

        start(relay());

        awaitDelivered(messages);
        assertInOrder(10);
    }

    @Test
    @Tag("R0.3")
    @Tag("R3.4")
    void aMessageThatFailsIsTriedAgainAndThenDead() {
        OutboxMessage message = message("42");
        enqueue(message);
        publisher.always(any -> true, PublishResult.failed("refused"));

        start(relay().retry(quickly(3)));

        await(() -> status(message) == MessageStatus.DEAD);
        StoredMessage dead = admin().find(message.id()).orElseThrow();
        assertThat(dead.attempts()).isEqualTo(3);
        assertThat(dead.lastError()).isEqualTo("refused");
    }

    @Test
    @Tag("R4.5")
    void aMessageMayHaveALimitOfItsOwn() {
        OutboxMessage message =
                OutboxMessage.to("orders", "Placed").key("42").maxAttempts(2).build();
        enqueue(message);
        publisher.always(any -> true, PublishResult.failed("refused"));

        start(relay());

        await(() -> status(message) == MessageStatus.DEAD);
        assertThat(attempts(message)).isEqualTo(2);
    }

    @Test
    @Tag("R4.2")
    void aDamagedMessageIsDeadAtOnceAndNeverPublished() {
        OutboxMessage[] messages = messages(10, 5);
        enqueue(messages);
        OutboxMessage damaged = messages[20];
        OutboxMessage behind = messages[30];
        damage(damaged.id());
        List<ClaimedMessage> heard = new CopyOnWriteArrayList<>();

        start(relay().listener(new RelayListener() {
            @Override
            public void integrityFailed(ClaimedMessage defective) {
                heard.add(defective);
            }
        }));

        awaitDelivered(Arrays.stream(messages)
                .filter(message -> !message.key().equals(damaged.key()))
                .toArray(OutboxMessage[]::new));
        awaitDelivered(messages[0], messages[10]);
        await(() -> status(damaged) == MessageStatus.DEAD);
        StoredMessage dead = admin().find(damaged.id()).orElseThrow();
        assertThat(dead.lastError()).isEqualTo(dead.defect()).isNotBlank();
        assertThat(dead.attempts()).isEqualTo(1);
        assertThat(heard).extracting(each -> each.message().id()).containsOnly(damaged.id());
        assertThat(received()).doesNotContain(damaged.id(), behind.id());
        assertThat(status(behind)).as("its key is held").isEqualTo(MessageStatus.PENDING);
    }

    @Test
    @Tag("R4.2")
    void aRequeuedMessageDiesAgainUntilItsRowIsRepaired() {
        OutboxMessage damaged = message("42");
        OutboxMessage behind = message("42");
        enqueue(damaged, behind);
        damage(damaged.id());
        start(relay());
        await(() -> status(damaged) == MessageStatus.DEAD);
        Instant died = died(damaged);

        admin().requeue(List.of(damaged.id()));
        await(() -> status(damaged) == MessageStatus.DEAD && !died(damaged).equals(died));
        assertThat(received()).isEmpty();
        repair(damaged.id());
        admin().requeue(List.of(damaged.id()));

        awaitDelivered(damaged, behind);
        assertThat(received()).containsExactly(damaged.id(), behind.id());
    }

    @Test
    void aRejectedMessageIsDeadAtOnce() {
        OutboxMessage message = message("42");
        enqueue(message);
        publisher.rejectNext(1);

        start(relay());

        await(() -> status(message) == MessageStatus.DEAD);
        assertThat(attempts(message)).isEqualTo(1);
    }

    @Test
    @Tag("B1")
    void aBlockedKeyWaitsForItsFirstMessageAndOtherKeysDoNot() {
        OutboxMessage poison = poison("1");
        OutboxMessage behind = message("1");
        OutboxMessage other = message("2");
        enqueue(poison, behind, other);
        publisher.always(RelayContract::isPoison, PublishResult.rejected("poison"));

        start(relay());

        awaitDelivered(other);
        await(() -> status(poison) == MessageStatus.DEAD);
        assertThat(happensWithinAMoment(() -> status(behind) == MessageStatus.DELIVERED))
                .isFalse();
        admin().discard(List.of(poison.id()));
        awaitDelivered(behind);
    }

    @Test
    @Tag("B1")
    void aRequeuedMessageIsDeliveredBeforeWhatWaitedBehindIt() {
        OutboxMessage poison = poison("1");
        OutboxMessage behind = message("1");
        enqueue(poison, behind);
        publisher.rejectNext(1);
        start(relay());
        await(() -> status(poison) == MessageStatus.DEAD);

        admin().requeue(List.of(poison.id()));

        awaitDelivered(poison, behind);
        assertThat(publisher.broker().received())
                .extracting(OutboxMessage::id)
                .containsExactly(poison.id(), behind.id());
    }

    @Test
    @Tag("B1")
    void aParkedMessageLetsItsKeyGoOn() {
        OutboxMessage poison = poison("1");
        OutboxMessage next = message("1");
        enqueue(poison, next);
        publisher.always(RelayContract::isPoison, PublishResult.failed("poison"));

        start(relay().keyPolicy(KeyPolicy.PARK_AND_CONTINUE));

        awaitDelivered(next);
        publisher.recover();
        awaitDelivered(poison);
    }

    @Test
    void aDelayedMessageIsDeliveredWhenItsTimeHasCome() {
        OutboxMessage delayed =
                OutboxMessage.to("orders", "Placed").deliverAfter(MOMENT).build();
        enqueue(delayed);

        start(relay());

        awaitDelivered(delayed);
        StoredMessage.Times times = admin().find(delayed.id()).orElseThrow().times();
        assertThat(times.delivered()).isAfterOrEqualTo(times.created().plus(MOMENT));
    }

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
        happensWithinAMoment(() -> false);

        publisher.recover();

        awaitDelivered(messages);
        assertThat(messages).allSatisfy(each -> assertThat(attempts(each)).isEqualTo(1));
        assertInOrder(3);
    }

    @Test
    void aStoreThatBreaksBurnsNoAttempts() {
        OutboxMessage[] messages = messages(5, 10);
        FlakyStore flaky = new FlakyStore(store())
                .failNext("claim", 2)
                .loseAnswers("claim", 2)
                .failNext("settle", 2)
                .loseAnswers("settle", 2)
                .failNext("renew", 1)
                .loseAnswers("acquire", 1)
                .failNext("claimWaiting", 2);
        enqueue(messages);

        start(Relay.builder(flaky.asStore(), publisher).pollInterval(Duration.ofMillis(50)));

        awaitDelivered(messages);
        await(flaky::isHealthy);
        assertThat(messages).allSatisfy(each -> assertThat(attempts(each)).isEqualTo(1));
        assertInOrder(5);
    }

    @Test
    @Tag("R0.6")
    void everyAttemptOfARelayIsRemembered() {
        OutboxMessage message = message("42");
        enqueue(message);
        publisher.always(any -> true, PublishResult.failed("no order 42"));

        Relay relay = start(relay().retry(quickly(3)));

        await(() -> status(message) == MessageStatus.DEAD);
        assertThat(admin().find(message.id()).orElseThrow().failure()).isEqualTo("no order *");
        assertThat(admin().attempts(message.id())).hasSize(3).allSatisfy(attempt -> {
            assertThat(attempt.relay()).isEqualTo(relay.name());
            assertThat(attempt.error()).isEqualTo("no order 42");
            assertThat(attempt.failure()).isEqualTo("no order *");
        });
        assertThat(admin().attempts(message.id()))
                .extracting(Attempt::outcome)
                .containsExactly(Outcome.RETRY, Outcome.RETRY, Outcome.DEAD);
    }

    @Test
    @Tag("R4.4")
    void claimsOfAProcessThatDiedAreRecoveredAndCounted() {
        OutboxMessage[] messages = messages(3, 1);
        enqueue(messages);
        Set<Integer> shards = IntStream.range(0, Shards.COUNT).boxed().collect(Collectors.toSet());
        store().renew("dead", MOMENT);
        store().acquire("dead", shards);
        ClaimRequest request =
                new ClaimRequest("dead", shards, Set.of(), new ClaimSize(100, 1 << 20), Duration.ofHours(1), 1);
        assertThat(store().claim(request, SeqRange.above(0)).messages()).hasSize(3);
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
    @Tag("R3.3")
    void aMessageWithoutAnAnswerIsSentAgain() {
        OutboxMessage message = message("42");
        enqueue(message);
        publisher.dropAnswers(1);

        start(relay().publishTimeout(MOMENT));

        awaitDelivered(message);
        assertThat(publisher.broker().received()).hasSize(2);
        assertThat(attempts(message)).isEqualTo(2);
    }

    @Test
    @Tag("B2")
    void aWakenedRelayLooksAtOnce() {
        Relay relay = start(Relay.builder(store(), publisher)
                .pollInterval(Duration.ofHours(1))
                .claimFor(Duration.ofHours(3)));
        Poll.until(Duration.ofSeconds(3), () -> false);
        OutboxMessage message = message("42");
        enqueue(message);

        relay.wake();

        assertThat(Poll.until(Duration.ofMillis(1_500), () -> status(message) == MessageStatus.DELIVERED))
                .as("delivered before the next look, two seconds from now")
                .isTrue();
    }

    private RelayBuilder relay() {
        return Relay.builder(store(), publisher)
                .name("contract")
                .retry(quickly(100))
                .pollInterval(Duration.ofMillis(50));
    }

    private static RetryPolicy quickly(int maxAttempts) {
        return RetryPolicy.exponential(Duration.ofMillis(10), Duration.ofMillis(50), maxAttempts);
    }

    private Relay start(RelayBuilder builder) {
        Relay relay = builder.build();
        relays.add(relay);
        return relay.start();
    }

    private static void whileClosing(Relay relay, Runnable action) throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Future<?> closing = executor.submit(relay::close);
            Poll.until(MOMENT, closing::isDone);
            action.run();
            closing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } finally {
            executor.shutdownNow();
        }
    }

    private void enqueue(OutboxMessage... messages) {
        try (OutboxTransaction transaction = begin()) {
            transaction.outbox().enqueueAll(List.of(messages));
            transaction.commit();
        }
    }

    private void awaitDelivered(OutboxMessage... messages) {
        List<UUID> missing =
                new ArrayList<>(Arrays.stream(messages).map(OutboxMessage::id).toList());
        Poll.until(PATIENCE, () -> {
            missing.removeIf(id -> admin().find(id).orElseThrow().status() == MessageStatus.DELIVERED);
            return missing.isEmpty();
        });
        assertThat(missing).as("messages that were not delivered").isEmpty();
    }

    private static void await(BooleanSupplier condition) {
        assertThat(Poll.until(PATIENCE, condition)).as("came true in time").isTrue();
    }

    private static boolean happensWithinAMoment(BooleanSupplier condition) {
        return Poll.until(MOMENT, condition);
    }

    private MessageStatus status(OutboxMessage message) {
        return admin().find(message.id()).orElseThrow().status();
    }

    private Instant died(OutboxMessage message) {
        return Optional.ofNullable(
                        admin().find(message.id()).orElseThrow().times().died())
                .orElse(Instant.MAX);
    }

    private List<UUID> received() {
        return publisher.broker().received().stream().map(OutboxMessage::id).toList();
    }

    private int attempts(OutboxMessage message) {
        return admin().find(message.id()).orElseThrow().attempts();
    }

    private void assertInOrder(int keys) {
        for (int key = 0; key < keys; key++) {
            OutboxAssertions.assertThat(publisher.broker()).received("orders").inOrderForKey("key-" + key);
        }
    }

    private static OutboxMessage[] messages(int keys, int ofEachKey) {
        return IntStream.range(0, keys * ofEachKey)
                .mapToObj(i -> message("key-" + i % keys))
                .toArray(OutboxMessage[]::new);
    }

    private static OutboxMessage message(String key) {
        return OutboxMessage.to("orders", "Placed").key(key).build();
    }

    private static OutboxMessage poison(String key) {
        return OutboxMessage.to("orders", "Poison").key(key).build();
    }

    private static boolean isPoison(OutboxMessage message) {
        return message.type().equals("Poison");
    }
}
