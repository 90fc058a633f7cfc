package dev.postrider.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.OutboxException;
import dev.postrider.publish.NameTemplate;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to RabbitMQ with publisher confirms, persistent and mandatory: a message is acked once every queue it was
 * routed to has it, and rejected, or failed with {@link Unroutable#RETRY}, if there is no such queue. It declares
 * nothing; exchanges, queues and bindings are the operator's. It connects with the first message. Thread-safe.
 */
public final class RabbitPublisher implements MessagePublisher {

    /** How a message is answered that no queue takes (312 NO_ROUTE). */
    public enum Unroutable {
        /** Rejected: the message is DEAD at once. */
        REJECT {
            @Override
            PublishResult answer(String reason) {
                return PublishResult.rejected(reason);
            }
        },
        /** Failed: an attempt counts and the message is tried again as the retry policy says. */
        RETRY {
            @Override
            PublishResult answer(String reason) {
                return PublishResult.failed(reason);
            }
        };

        abstract PublishResult answer(String reason);
    }

    private final Connector connector;
    private final MessageShape shape;
    private final Outbound outbound;

    private RabbitPublisher(Builder builder) {
        this.connector = Connector.ofPublisher(builder.factory, builder.allowPlaintext);
        this.shape = new MessageShape(
                builder.exchange,
                builder.routingKey,
                builder.cloudEventSource,
                builder.maxMessageSize,
                builder.unroutable);
        this.outbound = new Outbound(connector, builder.confirmTimeout);
    }

    /**
     * Starts configuring a publisher. The factory is copied; automatic recovery is switched off in the copy, and
     * time-outs that were left at the library's values are shortened.
     */
    public static Builder builder(ConnectionFactory factory) {
        return new Builder(factory);
    }

    @Override
    public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
        Optional<PublishResult> obstacle = outbound.obstacle();
        if (obstacle.isPresent()) {
            wave.forEach(claimed -> answers.answer(claimed, obstacle.get()));
            return;
        }
        long nanos = System.nanoTime();
        List<Outgoing> outgoing = new ArrayList<>(wave.size());
        for (ClaimedMessage claimed : wave) {
            try {
                outgoing.add(shape.outgoing(claimed, answers, nanos));
            } catch (IllegalArgumentException e) {
                answers.answer(claimed, PublishResult.rejected(BrokerText.message(e)));
            }
        }
        if (!outgoing.isEmpty()) {
            outbound.accept(outgoing);
        }
    }

    /**
     * Asks the broker, on a connection of its own and without changing anything, about the exchange if its name is the
     * same for every message, and about {@code moreExchanges}. Meant for the start of an application.
     *
     * @throws OutboxException if the broker cannot be reached
     */
    public List<ExchangeReport> check(String... moreExchanges) {
        Set<String> exchanges = new LinkedHashSet<>();
        shape.constantExchange().ifPresent(exchanges::add);
        exchanges.addAll(List.of(moreExchanges));
        try (Connection connection = connector.connect().connection()) {
            List<ExchangeReport> reports = new ArrayList<>();
            for (String exchange : exchanges) {
                reports.add(ExchangeProbe.any(connection, exchange));
            }
            return List.copyOf(reports);
        } catch (IOException | ShutdownSignalException e) {
            throw new OutboxException("Could not check the exchanges: " + BrokerText.message(e), e);
        }
    }

    @Override
    public List<String> warnings() {
        return outbound.warnings();
    }

    @Override
    public long restarts() {
        return outbound.restarts();
    }

    /** Answers what has no answer yet with {@link PublishResult.Kind#UNAVAILABLE} and closes the connection. */
    @Override
    public void close() {
        outbound.close();
    }

    /** Collects the parts of a {@link RabbitPublisher}. Not thread-safe. */
    public static final class Builder {

        private static final int DEFAULT_MAX_MESSAGE_SIZE = 16 * 1024 * 1024;

        private final ConnectionFactory factory;
        private @Nullable NameTemplate exchange = NameTemplate.of("{topic}");
        private NameTemplate routingKey = NameTemplate.of("{type}");
        private @Nullable URI cloudEventSource;
        private int maxMessageSize = DEFAULT_MAX_MESSAGE_SIZE;
        private Duration confirmTimeout = Duration.ofSeconds(8);
        private boolean allowPlaintext;
        private Unroutable unroutable = Unroutable.REJECT;

        private Builder(ConnectionFactory factory) {
            this.factory = Objects.requireNonNull(factory, "factory");
        }

        /**
         * The exchange, as a {@link NameTemplate}. Each exchange gets a channel of its own, so the template should not
         * make more than a few hundred names. Default <code>{topic}</code>.
         */
        public Builder exchange(String template) {
            this.exchange = NameTemplate.of(template);
            return this;
        }

        /** Publishes to the default exchange, where the routing key is the name of a queue. */
        public Builder defaultExchange() {
            this.exchange = null;
            return this;
        }

        /** The routing key, as a {@link NameTemplate}. Default <code>{type}</code>. */
        public Builder routingKey(String template) {
            this.routingKey = NameTemplate.of(template);
            return this;
        }

        /**
         * Adds the attributes of CloudEvents 1.0 in binary mode as headers that begin with {@code cloudEvents:}, with
         * this source. Default none.
         */
        public Builder cloudEvents(URI source) {
            this.cloudEventSource = Objects.requireNonNull(source, "source");
            return this;
        }

        /**
         * The largest payload in bytes; a larger one is rejected before it is sent. Set it no higher than the broker's
         * {@code max_message_size}. Default 16 MiB.
         */
        public Builder maxMessageSize(int bytes) {
            if (bytes < 1) {
                throw new IllegalArgumentException("maxMessageSize must be at least 1 but was " + bytes);
            }
            this.maxMessageSize = bytes;
            return this;
        }

        /**
         * How long the broker may take to confirm a message. Afterwards the connection is thrown away and the topic
         * counts as unavailable. Keep it below the relay's publish time-out. Default 8 s.
         */
        public Builder confirmTimeout(Duration duration) {
            if (duration.isNegative() || duration.isZero()) {
                throw new IllegalArgumentException("confirmTimeout must be positive but was " + duration);
            }
            this.confirmTimeout = duration;
            return this;
        }

        /**
         * How a message is answered that no queue takes. {@link Unroutable#RETRY} suits retry policies that never give
         * up, such as that of the preset {@code domain-events}. Default {@link Unroutable#REJECT}.
         */
        public Builder unroutable(Unroutable answer) {
            this.unroutable = Objects.requireNonNull(answer, "answer");
            return this;
        }

        /** Whether a connection without TLS may leave the machine. Default false. */
        public Builder allowPlaintext(boolean allowed) {
            this.allowPlaintext = allowed;
            return this;
        }

        /**
         * Builds the publisher.
         *
         * @throws IllegalArgumentException if the connection would leave the machine without TLS and that is not
         *     allowed
         */
        public RabbitPublisher build() {
            return new RabbitPublisher(this);
        }
    }
}
