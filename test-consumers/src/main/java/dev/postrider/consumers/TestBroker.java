package dev.postrider.consumers;

import dev.postrider.OutboxMessage;
import java.util.List;

/** A broker with a topic or queue of a test's own. */
public interface TestBroker extends AutoCloseable {

    /** Sends messages as another producer does, in this order, and waits until the broker has them. */
    void send(List<TestMessage> messages);

    /** Sends a message with Postrider's own publisher, to another destination than its topic. */
    void publish(OutboxMessage message);

    /** Starts a consumer that waits for nothing long. */
    RunningConsumer start(ConsumerPlan plan);

    /** Returns where a consumer says it has read the first message of lane 0. */
    String source();

    /** Waits until nothing is left that the broker would deliver again; it may close the consumer for that. */
    void awaitAcknowledged(RunningConsumer consumer);

    /** Deletes what belongs to the test. */
    @Override
    void close();
}
