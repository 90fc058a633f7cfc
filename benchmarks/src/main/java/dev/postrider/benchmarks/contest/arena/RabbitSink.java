package dev.postrider.benchmarks.contest.arena;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A durable RabbitMQ queue behind an exchange, with persistent messages; every thread confirms on its own channel. */
final class RabbitSink implements Sink {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final AMQP.BasicProperties PERSISTENT = MessageProperties.MINIMAL_PERSISTENT_BASIC;

    private final Arrivals arrivals = new Arrivals();
    private final Connection connection;
    private final ThreadLocal<Channel> channels = ThreadLocal.withInitial(this::channel);

    RabbitSink(String uri) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(uri);
        this.connection = factory.newConnection();
    }

    @Override
    public Arrivals arrivals() {
        return arrivals;
    }

    @Override
    public void take(String key, byte[] payload) throws Exception {
        Channel channel = channels.get();
        channel.basicPublish(Cargo.TOPIC, key, true, PERSISTENT, payload);
        channel.waitForConfirmsOrDie(PATIENCE.toMillis());
        arrivals.arrived(Cargo.number(payload));
    }

    @Override
    public CompletableFuture<Void> send(String key, byte[] payload) {
        throw new UnsupportedOperationException("No contender sends to RabbitMQ without its publisher");
    }

    private Channel channel() {
        try {
            Channel channel = connection.createChannel();
            channel.confirmSelect();
            return channel;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not open a channel", e);
        }
    }

    @Override
    public void close() {
        connection.abort();
    }
}
