package dev.postrider.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Connection;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.PublishResult;
import java.io.IOException;
import java.net.Socket;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection with a channel per exchange. Once it is cut or lost it stays so. One thread sends. */
final class Link implements BlockedListener {

    private static final Logger log = LoggerFactory.getLogger(Link.class);
    private static final int CLOSE_MILLIS = (int) TimeUnit.SECONDS.toMillis(1);

    private final Connection connection;
    private final Socket socket;
    private final Map<String, ExchangeChannel> channels = new ConcurrentHashMap<>();
    private volatile @Nullable String blocked;
    private volatile boolean cut;

    private Link(Connector.Connected connected) {
        this.connection = connected.connection();
        this.socket = connected.socket();
    }

    static Link open(Connector connector) throws IOException {
        Link link = new Link(connector.connect());
        link.connection.addBlockedListener(link);
        log.info("Connected to RabbitMQ: {}", link.connection);
        return link;
    }

    boolean isOpen() {
        return !cut && connection.isOpen();
    }

    boolean isCut() {
        return cut;
    }

    Connection connection() {
        return connection;
    }

    /** Returns the open channel to the exchange, or null if there is none yet or it was closed. */
    @Nullable ExchangeChannel channel(String exchange) {
        ExchangeChannel channel = channels.get(exchange);
        return channel != null && channel.isOpen() ? channel : null;
    }

    /** Opens a channel in the place of the one that was closed. */
    ExchangeChannel openChannel(String exchange) throws IOException, ExchangeUnusableException {
        ExchangeChannel closed = channels.remove(exchange);
        if (closed != null) {
            closed.abort();
        }
        ExchangeChannel channel = ExchangeChannel.open(connection, exchange);
        channels.put(exchange, channel);
        return channel;
    }

    @Override
    public void handleBlocked(String reason) {
        String text = ErrorText.clean(reason);
        log.warn("RabbitMQ takes no messages for now: {}", text);
        blocked = text;
    }

    @Override
    public void handleUnblocked() {
        log.info("RabbitMQ takes messages again");
        blocked = null;
    }

    /** Returns why the broker takes no messages for now; empty if it takes them or the connection is gone. */
    Optional<PublishResult> blocked() {
        String reason = blocked;
        return reason == null || !isOpen()
                ? Optional.empty()
                : Optional.of(PublishResult.unavailable("RabbitMQ has blocked publishers: " + reason));
    }

    /** Returns whether a message that was accepted before {@code nanos} still has no confirm. */
    boolean waitsSince(long nanos) {
        return channels.values().stream().anyMatch(channel -> channel.waitsSince(nanos));
    }

    /**
     * Answers everything that is unconfirmed and closes the socket below the connection. Closing the connection itself
     * would wait for whoever is stuck in a write.
     */
    void cut(String reason) {
        cut = true;
        channels.values().forEach(channel -> channel.end(reason));
        try {
            // No lingering: otherwise a TLS socket would wait for the same write.
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            log.debug("The socket to RabbitMQ was closed already", e);
        }
        try {
            socket.close();
        } catch (IOException e) {
            log.debug("The socket to RabbitMQ could not be closed", e);
        }
    }

    /** Takes leave of the broker. Only while nobody sends. */
    void close(String reason) {
        channels.values().forEach(channel -> channel.end(reason));
        try {
            connection.close(CLOSE_MILLIS);
        } catch (IOException | AlreadyClosedException e) {
            log.debug("The connection to RabbitMQ was closed already", e);
        }
        cut(reason);
    }
}
