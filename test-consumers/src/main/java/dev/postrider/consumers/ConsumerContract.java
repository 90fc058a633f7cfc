package dev.postrider.consumers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.inbox.InboxException;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.inbox.consumer.ConsumerHealth;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.TcpProxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every consumer does between a real broker and a real inbox. */
@Tag("R0.7")
public abstract class ConsumerContract extends FailureContract {

    /** For the tests of one broker. */
    protected ConsumerContract() {}

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "MARIADB"})
    @Tag("I1")
    @Tag("I2")
    void messageHasOneEffectHoweverOftenItComes(Kind kind) {
        TestBroker broker = open(3);
        InboxDatabase database = open(kind);
        List<TestMessage> twice = new ArrayList<>(TestMessage.numbered(100, 3));
        // The second copies are in other lanes, so that both may be in hand at the same time.
        for (int i = 0; i < 100; i++) {
            twice.add(new TestMessage(
                    (i + 1) % 3, null, "m" + i, "m" + i, twice.get(i).headers()));
        }
        Collections.shuffle(twice, new Random(42));
        broker.send(twice);

        try (RunningConsumer consumer = broker.start(
                ConsumerPlan.of(database.inbox().build(), InboxDatabase::effect).withThreads(2))) {
            await().atMost(Gate.PATIENCE).until(() -> database.duplicates() == 100);
            // One thread may have done everything before the other has joined.
            await().atMost(Gate.PATIENCE).until(() -> consumer.health().state() == ConsumerHealth.State.RUNNING);
            assertOneEffectEach(TestMessage.names(100), consumer);
        }
        assertThat(database.failures()).isEmpty();
    }

    @Test
    @Tag("I1")
    @Tag("I2")
    void messagesThatForwardTheSameUpstreamEventHaveOneEffectEach() {
        TestBroker broker = open(1);
        InboxDatabase database = open(Kind.POSTGRES_15);
        broker.send(TestMessage.numbered(3, 1).stream()
                .map(each -> each.with("ce_id", "upstream").with("cloudEvents:id", "upstream"))
                .toList());

        try (RunningConsumer consumer =
                broker.start(ConsumerPlan.of(database.inbox().build(), InboxDatabase::effect))) {
            assertOneEffectEach(TestMessage.names(3), consumer);
        }
        assertThat(database.strings("select message_id from effect")).containsExactlyInAnyOrder("m0", "m1", "m2");
    }

    @Test
    void consumerRunsWhileItsFirstMessageIsUnderWay() throws InterruptedException {
        TestBroker broker = open(1);
        InboxDatabase database = open(Kind.POSTGRES_15);
        Gate gate = new Gate("m0");
        broker.send(TestMessage.numbered(1, 1));

        try (RunningConsumer consumer =
                broker.start(ConsumerPlan.of(database.inbox().build(), gate::handle))) {
            gate.awaitReached();

            // The handler may begin before the consuming thread has counted the message.
            await().atMost(Gate.PATIENCE).until(() -> consumer.health().inHand() == 1);
            assertThat(consumer.health().state()).isEqualTo(ConsumerHealth.State.RUNNING);
            assertThat(consumer.health().underWay()).isPositive();
            gate.open();
            assertOneEffectEach(TestMessage.names(1), consumer);
        }
    }

    @Test
    @Tag("I3")
    void closingEndsTheHandlerUnderWayAndTheNextConsumerLosesAndRepeatsNothing() throws Exception {
        TestBroker broker = open(1);
        InboxDatabase database = open(Kind.POSTGRES_15);
        Gate gate = new Gate("m20");
        broker.send(TestMessage.numbered(60, 1));

        RunningConsumer first = broker.start(ConsumerPlan.of(database.inbox().build(), gate::handle));
        gate.awaitReached();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(first::close);
        await().atMost(Gate.PATIENCE).until(() -> first.health().state() == ConsumerHealth.State.CLOSED);
        assertThat(closing).isNotDone();
        gate.open();
        closing.join();

        assertThat(database.effects()).containsExactlyInAnyOrderElementsOf(TestMessage.names(21));
        try (RunningConsumer second =
                broker.start(ConsumerPlan.of(database.inbox().build(), InboxDatabase::effect))) {
            assertOneEffectEach(TestMessage.names(60), second);
        }
        assertThat(database.duplicates()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_15", "MARIADB"})
    @Tag("I1")
    @Tag("I2")
    void messagesWaitWhileTheDatabaseIsLostAndNoneIsBlamed(Kind kind) throws InterruptedException {
        Gate gate = new Gate("m5");
        TestBroker broker = open(1);
        broker.send(TestMessage.numbered(20, 1));

        try (TcpProxy proxy = TcpProxy.unconnected();
                InboxDatabase database = opened(InboxDatabase.open(kind, proxy));
                RunningConsumer consumer = broker.start(
                        ConsumerPlan.of(database.inbox().parkAfter(1).build(), gate::handle))) {
            gate.awaitReached();
            proxy.refuse();
            proxy.cut();
            gate.open();
            await().atMost(Gate.PATIENCE).until(() -> database.failures().size() >= 2);
            assertThat(consumer.health().alive()).isTrue();
            proxy.accept();

            assertOneEffectEach(TestMessage.names(20), consumer);
            assertThat(database.parked()).isEmpty();
            assertThat(database.failures())
                    .isSubsetOf(InboxException.Reason.INFRASTRUCTURE, InboxException.Reason.OUTCOME_UNKNOWN);
        }
    }

    @Test
    @Tag("I4")
    void messageThatAHandlerEnqueuesIsInItsTransaction() {
        TestBroker broker = open(1);
        InboxDatabase database = open(Kind.POSTGRES_15);
        AtomicBoolean broken = new AtomicBoolean(true);
        broker.send(TestMessage.numbered(3, 1));

        try (RunningConsumer consumer =
                broker.start(ConsumerPlan.of(database.inbox().build(), (message, transaction) -> {
                    InboxDatabase.effect(message, transaction);
                    transaction.enqueue(OutboxMessage.to("invoices", "Invoice")
                            .key(message.key().orElseThrow())
                            .payload("for " + InboxDatabase.text(message))
                            .build());
                    if (broken.compareAndSet(true, false)) {
                        throw new IllegalStateException("once, after the enqueue");
                    }
                }))) {
            assertOneEffectEach(TestMessage.names(3), consumer);
        }
        assertThat(database.failures()).containsExactly(InboxException.Reason.HANDLER_FAILED);
        assertThat(database.strings("select message_key from outbox_message"))
                .containsExactlyInAnyOrder("key-0", "key-1", "key-2");
    }

    @Test
    void messageOfPostriderArrivesWithEverything() {
        TestBroker broker = open(1);
        InboxDatabase database = open(Kind.POSTGRES_15);
        OutboxMessage sent = OutboxMessage.to("orders", "OrderPlaced")
                .key("order-1")
                .header("correlation-id", "c-1")
                .header("ce_id", "upstream")
                .header("ce_type", "BasketFilled")
                .payload("{}")
                .build();
        List<ReceivedMessage> received = Collections.synchronizedList(new ArrayList<>());
        broker.publish(sent);

        try (RunningConsumer consumer = broker.start(
                ConsumerPlan.of(database.inbox().build(), (message, transaction) -> received.add(message)))) {
            await().atMost(Gate.PATIENCE).until(() -> received.size() == 1);
            broker.awaitAcknowledged(consumer);
        }
        ReceivedMessage message = received.get(0);
        assertThat(message.id()).hasValue(sent.id().toString());
        assertThat(message.topic()).isEqualTo("orders");
        assertThat(message.key()).hasValue("order-1");
        assertThat(message.type()).hasValue("OrderPlaced");
        assertThat(message.sequence()).isPresent();
        assertThat(message.source()).hasValue(broker.source());
        assertThat(message.headers())
                .containsEntry("correlation-id", "c-1")
                .containsEntry("content-type", sent.contentType());
        assertThat(InboxDatabase.text(message)).isEqualTo("{}");
    }
}
