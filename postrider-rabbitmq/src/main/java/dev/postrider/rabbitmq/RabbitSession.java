package dev.postrider.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.inbox.consumer.ConsumerLanes;
import dev.postrider.inbox.consumer.ConsumerSession;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection with one channel that consumes one queue. Once it is lost it stays so, and so do its deliveries: the
 * next session gets them anew, under tags of its own. For one thread; deliveries come on the client's.
 */
final class RabbitSession implements ConsumerSession<Received> {

    private static final Logger log = LoggerFactory.getLogger(RabbitSession.class);
    private static final int CLOSE_MILLIS = (int) TimeUnit.SECONDS.toMillis(5);
    private static final int MANY_DELIVERIES = 8;
    private static final long WARN_EVERY = TimeUnit.MINUTES.toNanos(1);

    private final Connector.Connected connected;
    private final Channel channel;
    private final Reading reading;
    private final ConsumerLanes<Received> lanes;
    private final BlockingQueue<Received> arrived = new LinkedBlockingQueue<>();
    private volatile @Nullable String lost;
    private long warned = System.nanoTime() - WARN_EVERY;

    /**
     * What is consumed, and how.
     *
     * @param timeout the broker's consumer_timeout
     * @param warnings which queues were asked about
     */
    record Reading(DeliveryReader reader, int prefetch, Duration timeout, QueueWarnings warnings) {}

    private RabbitSession(
            Connector.Connected connected, Channel channel, Reading reading, ConsumerLanes<Received> lanes) {
        this.connected = connected;
        this.channel = channel;
        this.reading = reading;
        this.lanes = lanes;
    }

    /** Connects and begins to consume; nothing is declared. */
    static RabbitSession open(Connector connector, Reading reading, ConsumerLanes<Received> lanes) throws IOException {
        Connector.Connected connected = connector.connect();
        try {
            Channel channel = connected.connection().createChannel();
            if (channel == null) {
                throw new IOException("RabbitMQ allows no channel on the connection");
            }
            RabbitSession session = new RabbitSession(connected, channel, reading, lanes);
            reading.warnings().check(connected.connection(), reading.reader().queue());
            session.consume();
            return session;
        } catch (IOException | ShutdownSignalException e) {
            abort(connected);
            throw new IOException(
                    "Could not consume queue %s: %s"
                            .formatted(BrokerText.shortened(reading.reader().queue()), BrokerText.of(e)),
                    e);
        }
    }

    private void consume() throws IOException {
        channel.basicQos(reading.prefetch());
        channel.basicConsume(reading.reader().queue(), false, new DefaultConsumer(channel) {
            @Override
            public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body) {
                arrived.add(new Received(new Delivery(envelope, properties, body), System.nanoTime()));
            }

            @Override
            public void handleCancel(String tag) {
                lost = "RabbitMQ cancelled the consumer: the queue was deleted or moved";
            }

            @Override
            public void handleShutdownSignal(String tag, ShutdownSignalException cause) {
                lost = "RabbitMQ closed the channel: " + BrokerText.of(cause);
            }
        });
    }

    @Override
    public void receive(Duration atMost) throws IOException {
        List<Received> fresh = new ArrayList<>();
        try {
            Received first = arrived.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
            if (first != null) {
                fresh.add(first);
                arrived.drainTo(fresh);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while receiving");
        }
        String reason = lost;
        if (reason != null) {
            throw new IOException(reason);
        }
        fresh.forEach(this::take);
        endIfHeldTooLong();
    }

    private void take(Received received) {
        long before = received.deliveriesBefore();
        if (before >= MANY_DELIVERIES && Long.bitCount(before) == 1) {
            log.warn(
                    "A message of queue {} was delivered {} times before and never acknowledged: its handler may end"
                            + " the process or run into consumer_timeout",
                    reading.reader().queue(),
                    before);
        }
        lanes.add(received);
    }

    // For one that is held longer than consumer_timeout the broker would close the channel. Ended by ourselves in time,
    // the session gives everything back to where it was in the queue, so that the order is kept.
    private void endIfHeldTooLong() throws IOException {
        long old = System.nanoTime() - reading.timeout().toNanos() / 2;
        if (lanes.all().stream().anyMatch(received -> received.receivedBefore(old))) {
            throw new IOException("A message was held for half of consumer_timeout, %s, and all are given back"
                    .formatted(reading.timeout()));
        }
    }

    @Override
    public ReceivedMessage message(Received received) {
        return reading.reader().read(received);
    }

    @Override
    public void acknowledge(List<Received> done) throws IOException {
        try {
            for (Received received : done) {
                channel.basicAck(received.tag(), false);
            }
        } catch (AlreadyClosedException e) {
            throw new IOException("The channel to RabbitMQ is closed: " + BrokerText.of(e), e);
        }
        warnIfLate(done);
    }

    private void warnIfLate(List<Received> done) {
        long now = System.nanoTime();
        long old = now - reading.timeout().toNanos() / 2;
        if (now - warned > WARN_EVERY && done.stream().anyMatch(received -> received.receivedBefore(old))) {
            warned = now;
            log.warn(
                    "A message of queue {} was acknowledged only after more than half of consumer_timeout, {}: make its"
                            + " handler faster, or prefetch smaller",
                    reading.reader().queue(),
                    reading.timeout());
        }
    }

    @Override
    public boolean assigned() {
        return true;
    }

    @Override
    public OptionalLong lag() {
        return OptionalLong.empty();
    }

    @Override
    public void close() {
        try {
            connected.connection().close(CLOSE_MILLIS);
        } catch (IOException | AlreadyClosedException e) {
            log.debug("The connection to RabbitMQ was closed already", e);
        }
        abort(connected);
    }

    private static void abort(Connector.Connected connected) {
        connected.connection().abort(CLOSE_MILLIS);
        try {
            connected.socket().close();
        } catch (IOException e) {
            log.debug("The socket to RabbitMQ could not be closed", e);
        }
    }
}
