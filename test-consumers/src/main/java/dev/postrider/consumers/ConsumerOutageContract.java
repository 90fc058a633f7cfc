package dev.postrider.consumers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.services.Database.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every consumer does when its broker goes away under load. */
@Tag("R0.7")
@Tag("I1")
@Tag("I2")
public abstract class ConsumerOutageContract extends ConsumerSteps {

    /** For the tests of one broker. */
    protected ConsumerOutageContract() {}

    /** Ends the broker and starts it again on the same data. */
    protected abstract void restartBroker();

    /** Cuts the consumer off, so that what it acknowledges from now on is lost. */
    protected abstract void cutOff();

    /** Lets the consumer connect again, after the broker has given it up. */
    protected abstract void comeBack();

    @Test
    void brokerThatRestartsInTheMiddleOfALoadLosesAndRepeatsNoEffect() {
        TestBroker broker = open(3);
        InboxDatabase database = open(Kind.POSTGRES_15);
        broker.send(TestMessage.numbered(600, 3));

        try (RunningConsumer consumer = broker.start(
                ConsumerPlan.of(database.inbox().build(), InboxDatabase::effect).withThreads(2))) {
            database.awaitEffects(50);
            restartBroker();
            assertThat(consumer.health().alive()).isTrue();

            assertOneEffectEach(TestMessage.names(600), consumer);
        }
    }

    @Test
    @Tag("I3")
    void messageWhoseAcknowledgementIsLostComesAgainAsADuplicate() throws InterruptedException {
        TestBroker broker = open(3);
        InboxDatabase database = open(Kind.POSTGRES_15);
        Gate gate = new Gate("m2");
        broker.send(TestMessage.numbered(9, 3));

        try (RunningConsumer consumer =
                broker.start(ConsumerPlan.of(database.inbox().build(), gate::handle))) {
            gate.awaitReached();
            cutOff();
            gate.open();
            database.awaitEffects(9);
            comeBack();

            await().atMost(Gate.PATIENCE).until(() -> database.duplicates() > 0);
            assertOneEffectEach(TestMessage.names(9), consumer);
        }
    }
}
