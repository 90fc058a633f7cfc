package dev.postrider.inbox.consumer;

import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxBatchHandler;
import dev.postrider.inbox.ReceivedHandler;
import dev.postrider.retry.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The settings every consumer has, checked one by one. Not thread-safe. */
public final class ConsumerSettings {

    private static final int MAX_NAME = 100;
    private static final int MAX_THREADS = 256;

    final Inbox inbox;
    final String consumer;

    @Nullable ReceivedHandler handler;

    @Nullable InboxBatchHandler batchHandler;

    int batchSize = 1;
    int threads = 1;
    RetryPolicy delays = endless(Duration.ofMillis(500), Duration.ofMinutes(1));
    Duration releasedEvery = Duration.ofSeconds(5);
    Duration closeTimeout = Duration.ofSeconds(30);

    /** Begins with the inbox and the name of the consumer in it. */
    public ConsumerSettings(Inbox inbox, String consumer) {
        this.inbox = Objects.requireNonNull(inbox, "inbox");
        if (!consumer.matches("[\\x20-\\x7e]{1," + MAX_NAME + "}")) {
            throw new IllegalArgumentException(
                    "consumer must be 1 to %d printable ASCII characters but was '%s'".formatted(MAX_NAME, consumer));
        }
        this.consumer = consumer;
    }

    /** The name of the consumer in the inbox. */
    public String consumer() {
        return consumer;
    }

    /** What is done about a message. */
    public void handler(ReceivedHandler each) {
        this.handler = Objects.requireNonNull(each, "handler");
        this.batchHandler = null;
        this.batchSize = 1;
    }

    /** What is done about up to {@code size} messages at a time. */
    public void batchHandler(int size, InboxBatchHandler all) {
        if (size < 1) {
            throw new IllegalArgumentException("batch size must be at least 1 but was " + size);
        }
        this.batchHandler = Objects.requireNonNull(all, "handler");
        this.handler = null;
        this.batchSize = size;
    }

    /** How many messages are handled at a time. */
    public int batchSize() {
        return batchSize;
    }

    /** How many threads receive. */
    public void threads(int count) {
        if (count < 1 || count > MAX_THREADS) {
            throw new IllegalArgumentException("threads must be 1 to %d but was %d".formatted(MAX_THREADS, count));
        }
        this.threads = count;
    }

    /** How many threads receive. */
    public int threads() {
        return threads;
    }

    /** How long to wait after a failure, at first and at most. */
    public void backoff(Duration first, Duration max) {
        this.delays = endless(first, max);
    }

    private static RetryPolicy endless(Duration first, Duration max) {
        return RetryPolicy.exponentialWithJitter(first, max, RetryPolicy.FOREVER);
    }

    /** How often to look for released messages. */
    public void releasedEvery(Duration interval) {
        this.releasedEvery = positive("releasedEvery", interval);
    }

    /** How long closing waits for the handler under way. */
    public void closeTimeout(Duration timeout) {
        this.closeTimeout = positive("closeTimeout", timeout);
    }

    /** Checks that there is something to do. */
    public void check() {
        if (handler == null && batchHandler == null) {
            throw new IllegalArgumentException("handler or batchHandler must be set");
        }
    }

    /** The handler for one message, whatever it was set for. */
    ReceivedHandler single() {
        InboxBatchHandler all = batchHandler;
        if (all != null) {
            return (message, transaction) -> all.handle(List.of(message), transaction);
        }
        return Objects.requireNonNull(handler, "handler");
    }

    private static Duration positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("%s must be positive but was %s".formatted(name, value));
        }
        return value;
    }
}
