package dev.postrider.rabbitmq;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import dev.postrider.OutboxMessage;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.services.Availability;
import dev.postrider.services.RabbitServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The test's own hands on a broker: declares, binds, deletes and consumes on a connection of its own. */
final class Broker implements AutoCloseable {

    private final RabbitServer server;
    private Connection connection;
    private Channel channel;

    private Broker(RabbitServer server) {
        this.server = server;
        this.connection = connect();
        this.channel = channel();
    }

    /** Skips the test, or fails it in CI, if there is no RabbitMQ. */
    static void require() {
        Availability availability = RabbitServer.available();
        assumeTrue(availability.available(), availability::reason);
    }

    static Broker shared() {
        require();
        return new Broker(RabbitServer.shared());
    }

    static Broker on(RabbitServer server) {
        return new Broker(server);
    }

    static ConnectionFactory factory(RabbitServer server) {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(server.port());
        return factory;
    }

    RabbitServer server() {
        return server;
    }

    ConnectionFactory factory() {
        return factory(server);
    }

    /** Connects again after the server was restarted or closed the connection. */
    void reconnect() {
        connection.abort();
        connection = connect();
        channel = channel();
    }

    /** A durable topic exchange. */
    Broker exchange(String name) {
        return exchange(name, Map.of());
    }

    Broker exchange(String name, Map<String, Object> arguments) {
        return exchange(name, "topic", true, false, arguments);
    }

    Broker exchange(String name, String type, boolean durable, boolean autoDelete, Map<String, Object> arguments) {
        return run(() -> channel.exchangeDeclare(name, type, durable, autoDelete, arguments));
    }

    Broker internalExchange(String name) {
        return run(() -> channel.exchangeDeclare(name, "direct", true, false, true, Map.of()));
    }

    Broker queue(String name) {
        return queue(name, Map.of());
    }

    Broker queue(String name, Map<String, Object> arguments) {
        return run(() -> channel.queueDeclare(name, true, false, false, arguments));
    }

    Broker bind(String queue, String exchange) {
        return bindKey(queue, exchange, "#");
    }

    Broker bindKey(String queue, String exchange, String pattern) {
        return run(() -> channel.queueBind(queue, exchange, pattern));
    }

    Broker unbind(String queue, String exchange) {
        return run(() -> channel.queueUnbind(queue, exchange, "#"));
    }

    Broker deleteExchange(String name) {
        return run(() -> channel.exchangeDelete(name));
    }

    Broker deleteQueue(String name) {
        return run(() -> channel.queueDelete(name));
    }

    /** Returns a list that fills with everything that arrives in the queue, in the queue's order. */
    List<Delivery> consume(String queue) {
        List<Delivery> arrived = new CopyOnWriteArrayList<>();
        run(() -> channel.basicConsume(queue, true, (tag, delivery) -> arrived.add(delivery), tag -> {}));
        return arrived;
    }

    /** Takes out everything that is in the queue now, in its order. */
    List<GetResponse> drain(String queue) {
        List<GetResponse> drained = new ArrayList<>();
        run(() -> {
            for (GetResponse next = channel.basicGet(queue, true); next != null; next = channel.basicGet(queue, true)) {
                drained.add(next);
            }
            return drained;
        });
        return drained;
    }

    /** Puts a message into a queue. */
    void send(String queue, BasicProperties properties, String payload) {
        run(() -> {
            channel.basicPublish("", queue, properties, payload.getBytes(StandardCharsets.UTF_8));
            return queue;
        });
    }

    /** Runs what sends, and waits until the broker has it all, on its disk if need be. */
    void confirmed(Runnable sending) {
        run(channel::confirmSelect);
        sending.run();
        try {
            channel.waitForConfirmsOrDie(TimeUnit.MINUTES.toMillis(1));
        } catch (IOException | TimeoutException e) {
            throw new IllegalStateException("RabbitMQ did not confirm", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns how many messages of a queue wait for a consumer. */
    long ready(String queue) {
        AtomicLong count = new AtomicLong();
        run(() -> {
            count.set(channel.messageCount(queue));
            return queue;
        });
        return count.get();
    }

    /**
     * Returns how many consumers a queue has. With the last one, all that was not acknowledged is back in the queue.
     */
    long consumers(String queue) {
        AtomicLong count = new AtomicLong();
        run(() -> {
            count.set(channel.consumerCount(queue));
            return queue;
        });
        return count.get();
    }

    static OutboxMessage message(Delivery delivery) {
        BasicProperties properties = delivery.getProperties();
        OutboxMessage.Builder message = OutboxMessage.to(
                        Objects.requireNonNullElse(
                                header(delivery, MessageHeaders.TOPIC),
                                delivery.getEnvelope().getExchange()),
                        properties.getType())
                .id(UUID.fromString(properties.getMessageId()))
                .contentType(properties.getContentType())
                .key(header(delivery, MessageHeaders.KEY))
                .payload(delivery.getBody());
        Map<String, String> headers = new HashMap<>();
        properties.getHeaders().forEach((name, value) -> headers.put(name, value.toString()));
        return message.headers(headers).restore();
    }

    static @Nullable String header(Delivery delivery, String name) {
        Object value = delivery.getProperties().getHeaders().get(name);
        return value == null ? null : value.toString();
    }

    @Override
    public void close() {
        connection.abort();
    }

    private Connection connect() {
        ConnectionFactory factory = factory();
        factory.setAutomaticRecoveryEnabled(false);
        try {
            return factory.newConnection();
        } catch (IOException | TimeoutException e) {
            throw new IllegalStateException("Could not connect to " + server, e);
        }
    }

    private Channel channel() {
        try {
            return Objects.requireNonNull(connection.createChannel());
        } catch (IOException e) {
            throw new IllegalStateException("Could not open a channel on " + server, e);
        }
    }

    /** Something to tell the broker. */
    @FunctionalInterface
    private interface Step {
        Object run() throws IOException;
    }

    private Broker run(Step step) {
        try {
            step.run();
            return this;
        } catch (IOException e) {
            throw new IllegalStateException("RabbitMQ refused", e);
        }
    }
}
