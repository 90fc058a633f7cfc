package dev.postrider.rabbitmq;

import dev.postrider.spi.ErrorText;
import dev.postrider.spi.PublishResult;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes waves to the broker and makes the connection and the channels they need. For one thread, except where it says
 * otherwise.
 */
final class WaveWriter {

    private static final Logger log = LoggerFactory.getLogger(WaveWriter.class);

    // Each asks the broker a few questions, and exchanges of one template tend to be declared alike.
    private static final int MOST_PROBED = 100;
    private static final String CLOSED = "The publisher is closed";

    private final Connector connector;
    private final Set<String> probed = new HashSet<>();
    private final QueueWarnings queues = new QueueWarnings();
    private volatile @Nullable Link link;

    /** What was found out about an exchange for one wave: a channel to it, or why there is none. */
    private record Destination(
            @Nullable ExchangeChannel channel, @Nullable PublishResult obstacle) {

        void send(Outgoing message) throws IOException {
            if (channel != null) {
                channel.send(message);
            } else if (obstacle != null) {
                message.answer(obstacle);
            }
        }
    }

    WaveWriter(Connector connector) {
        this.connector = connector;
    }

    /** Returns what was found out about queues that limits a promise. For any thread. */
    List<String> warnings() {
        return queues.texts();
    }

    /** The connection last made; null if there was none yet. For any thread. */
    @Nullable Link link() {
        return link;
    }

    /**
     * Sends every message of the wave; each is answered or in the book of its channel afterwards. Returns why not if
     * there is no connection: then the next wave has no better chance.
     */
    Optional<PublishResult> write(List<Outgoing> wave) {
        Link open;
        try {
            open = connected();
        } catch (IOException e) {
            PublishResult unreachable = PublishResult.unavailable(BrokerText.message(e));
            wave.forEach(message -> message.answer(unreachable));
            return Optional.of(unreachable);
        }
        Map<String, Destination> destinations = new HashMap<>();
        for (Outgoing message : wave) {
            // What the clock has answered meanwhile is not ours any more.
            if (!message.isAnswered()) {
                send(message, open, destinations);
            }
        }
        return Optional.empty();
    }

    private Link connected() throws IOException {
        Link current = link;
        if (current == null || !current.isOpen()) {
            current = Link.open(connector);
            link = current;
        }
        return current;
    }

    private void send(Outgoing message, Link open, Map<String, Destination> destinations) {
        Optional<PublishResult> blocked = open.blocked();
        if (blocked.isPresent()) {
            message.answer(blocked.get());
            return;
        }
        try {
            Destination destination = destinations.get(message.exchange());
            if (destination == null) {
                destination = destination(message.exchange(), open);
                destinations.put(message.exchange(), destination);
            }
            if (message.exchange().equals(ExchangeChannel.DEFAULT_EXCHANGE)) {
                queues.check(open.connection(), message.routingKey());
            }
            destination.send(message);
        } catch (IOException e) {
            String reason = broke(e);
            open.cut(reason);
            message.answer(PublishResult.unavailable(reason));
        } catch (Error e) {
            // Counted as an attempt, so that a message which always does so ends as dead.
            message.answer(PublishResult.failed(ErrorText.of(e)));
            throw e;
        }
    }

    private static String broke(IOException e) {
        return "The connection to RabbitMQ broke: " + BrokerText.of(e);
    }

    private Destination destination(String exchange, Link open) throws IOException {
        try {
            return new Destination(channel(exchange, open), null);
        } catch (ExchangeUnusableException e) {
            return new Destination(null, PublishResult.unavailable(BrokerText.message(e)));
        }
    }

    private ExchangeChannel channel(String exchange, Link open) throws IOException, ExchangeUnusableException {
        ExchangeChannel channel = open.channel(exchange);
        if (channel == null) {
            channel = open.openChannel(exchange);
            if (probed.size() < MOST_PROBED && probed.add(exchange)) {
                warnOfDetour(ExchangeProbe.existing(open.connection(), exchange));
            }
        }
        return channel;
    }

    private static void warnOfDetour(ExchangeReport report) {
        if (report.status() == ExchangeReport.Status.ALTERNATE_EXCHANGE) {
            log.warn("Exchange {}: {}", BrokerText.shortened(report.exchange()), report.advice());
        }
    }

    /** Takes leave of the broker, or just leaves if it does not listen. */
    void close() {
        Link current = link;
        if (current == null) {
            return;
        }
        if (current.blocked().isPresent()) {
            current.cut(CLOSED);
        } else {
            current.close(CLOSED);
        }
    }
}
