package dev.postrider.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxBatchHandler;
import dev.postrider.inbox.ReceivedHandler;
import dev.postrider.inbox.consumer.ConsumerHealth;
import dev.postrider.inbox.consumer.ConsumerLoops;
import dev.postrider.inbox.consumer.ConsumerSettings;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hands the messages of a queue to an {@link Inbox} and acknowledges them afterwards: each has exactly one effect in
 * the database, however often it comes. It declares nothing; the queue is the operator's. Thread-safe.
 *
 * <p>A message that fails is kept unacknowledged and tried again after a while, until it is handled or the inbox parks
 * it; later messages of its key wait behind it, all others go on. Nothing is sent through a retry queue, for these
 * reasons: between two classic queues a dead-lettered message can be lost, a message that went round is behind the
 * others of its key, quorum queues count every round against their delivery limit and then drop the message, and the
 * failures are counted and the message is kept in the inbox anyway. Nor is it given back at once, which would make the
 * broker deliver it as fast as it can. Messages that wait take places of the prefetch.
 *
 * <p>A lost connection is made anew. Deliveries of the old one are forgotten, never acknowledged on the new one, and
 * come again as duplicates if their work was committed.
 */
public final class RabbitInboxConsumer implements AutoCloseable {

    private final ConsumerLoops<Received> loops;

    private RabbitInboxConsumer(Builder builder, String queue) {
        Connector connector = Connector.ofConsumer(builder.factory, builder.allowPlaintext);
        RabbitSession.Reading reading = new RabbitSession.Reading(
                new DeliveryReader(queue, builder.idFrom),
                Math.max(builder.prefetch, builder.common.batchSize()),
                builder.consumerTimeout,
                new QueueWarnings());
        this.loops = new ConsumerLoops<>(
                builder.common,
                RabbitInboxConsumer::lane,
                number -> lanes -> RabbitSession.open(connector, reading, lanes));
    }

    // One without a key waits for nobody and nobody for it.
    private static Object lane(Received received) {
        return DeliveryReader.key(received).<Object>map(Function.identity()).orElse(received);
    }

    /**
     * Starts configuring a consumer. The factory is copied; automatic recovery is switched off in the copy, and
     * time-outs that were left at the library's values are shortened.
     *
     * @param consumer its name in the inbox
     */
    public static Builder builder(Inbox inbox, String consumer, ConnectionFactory factory) {
        return new Builder(new ConsumerSettings(inbox, consumer), factory);
    }

    /**
     * Starts to receive. A broker that is away is no reason not to start.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    public RabbitInboxConsumer start() {
        loops.start();
        return this;
    }

    /** Says how the consumer is. */
    public ConsumerHealth health() {
        return loops.health();
    }

    /** Lets the handler under way end, acknowledges what is done, and gives the rest back to the queue. */
    @Override
    public void close() {
        loops.close();
    }

    /** Collects the parts of a {@link RabbitInboxConsumer}. A queue and a handler are required. Not thread-safe. */
    public static final class Builder {

        private static final int MAX_PREFETCH = 65_535;

        private final ConsumerSettings common;
        private final ConnectionFactory factory;
        private @Nullable String queue;
        private Function<Delivery, @Nullable String> idFrom = unidentified -> null;
        private int prefetch = 50;
        private Duration consumerTimeout = Duration.ofMinutes(30);
        private boolean allowPlaintext;

        private Builder(ConsumerSettings common, ConnectionFactory factory) {
            this.common = common;
            this.factory = Objects.requireNonNull(factory, "factory");
        }

        /** The queue to receive from. */
        public Builder queue(String name) {
            if (name.isBlank()) {
                throw new IllegalArgumentException("queue must not be blank");
            }
            this.queue = name;
            return this;
        }

        /** What is done about each message, in a transaction of its own. */
        public Builder handler(ReceivedHandler handler) {
            common.handler(handler);
            return this;
        }

        /**
         * What is done about up to {@code size} messages in one transaction. If that fails they are handled one by one,
         * so that a bad one holds up its own key only.
         */
        public Builder batchHandler(int size, InboxBatchHandler handler) {
            common.batchHandler(size, handler);
            return this;
        }

        /**
         * Where the id of a message is that has neither the property {@code message-id} nor a header
         * {@code cloudEvents:id}, {@code ce_id} or {@code id}; null if it has none, and it is parked. It must be the
         * same at each redelivery, and never the key. Default: none has one.
         */
        public Builder idFrom(Function<Delivery, @Nullable String> extractor) {
            this.idFrom = Objects.requireNonNull(extractor, "extractor");
            return this;
        }

        /**
         * How many messages each thread may hold, at least as many as a batch. Those that wait after a failure are
         * among them. Default 50.
         */
        public Builder prefetch(int count) {
            if (count < 1 || count > MAX_PREFETCH) {
                throw new IllegalArgumentException(
                        "prefetch must be 1 to %d but was %d".formatted(MAX_PREFETCH, count));
            }
            this.prefetch = count;
            return this;
        }

        /**
         * The broker's {@code consumer_timeout}. If a message cannot be handled for half of it, everything in hand is
         * given back to the queue and received anew; one that is handled as late as that is warned of. Default 30 min,
         * as the broker's.
         */
        public Builder consumerTimeout(Duration timeout) {
            if (timeout.isNegative() || timeout.isZero()) {
                throw new IllegalArgumentException("consumerTimeout must be positive but was " + timeout);
            }
            this.consumerTimeout = timeout;
            return this;
        }

        /**
         * How many threads receive, each on a connection of its own. With more than one, messages of a key may overtake
         * each other. Default 1.
         */
        public Builder threads(int count) {
            common.threads(count);
            return this;
        }

        /**
         * How long a message, and its key, waits after a failure: {@code first}, then twice as long each time up to
         * {@code max}. Default 500 ms and 1 min.
         */
        public Builder backoff(Duration first, Duration max) {
            common.backoff(first, max);
            return this;
        }

        /** How often to look for messages that an operator has released. Default 5 s. */
        public Builder releasedEvery(Duration interval) {
            common.releasedEvery(interval);
            return this;
        }

        /** How long closing waits for the handler under way before it is interrupted. Default 30 s. */
        public Builder closeTimeout(Duration timeout) {
            common.closeTimeout(timeout);
            return this;
        }

        /** Whether a connection without TLS may leave the machine. Default false. */
        public Builder allowPlaintext(boolean allowed) {
            this.allowPlaintext = allowed;
            return this;
        }

        /**
         * Builds the consumer; it connects when it is started.
         *
         * @throws IllegalArgumentException naming what is missing, or if the connection would leave the machine without
         *     TLS and that is not allowed
         */
        public RabbitInboxConsumer build() {
            common.check();
            if (queue == null) {
                throw new IllegalArgumentException("queue must be set");
            }
            return new RabbitInboxConsumer(this, queue);
        }
    }
}
