package dev.postrider.consumers;

import dev.postrider.inbox.consumer.ConsumerHealth;
import java.util.function.Supplier;

/** A consumer of any broker. */
public record RunningConsumer(Supplier<ConsumerHealth> healthNow, Runnable ending) implements AutoCloseable {

    /** Says how the consumer is. */
    public ConsumerHealth health() {
        return healthNow.get();
    }

    @Override
    public void close() {
        ending.run();
    }
}
