package dev.postrider.benchmarks.publishers;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.publish.MessageHeaders;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.NavigableSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/**
 * The client alone: persistent messages, a thousand of them unconfirmed at any time, no database. It sends what the
 * publisher sends, or bodies that say nothing about themselves.
 */
final class BareRabbit implements Contender {

    private static final int IN_FLIGHT = 1_000;
    private static final int PATIENCE_SECONDS = 120;

    private final String name;
    private final ConnectionFactory factory;
    private final BiFunction<Load, Integer, BasicProperties> properties;
    private final Drain.AfterRound afterRound;

    private BareRabbit(
            String name,
            ConnectionFactory factory,
            BiFunction<Load, Integer, BasicProperties> properties,
            Drain.AfterRound afterRound) {
        this.name = name;
        this.factory = factory;
        this.properties = properties;
        this.afterRound = afterRound;
    }

    /** Sends the same message as the publisher: a consumer can tell it apart and put it in order. */
    static BareRabbit sameMessage(ConnectionFactory factory, Drain.AfterRound afterRound) {
        return new BareRabbit(
                "rabbitmq bare",
                factory,
                (load, number) -> persistent()
                        .messageId(UUID.randomUUID().toString())
                        .type(Load.TYPE)
                        .timestamp(Date.from(Instant.now()))
                        .headers(Map.of(
                                MessageHeaders.SEQ, Integer.toString(number), MessageHeaders.KEY, load.key(number)))
                        .build(),
                afterRound);
    }

    /** Sends the payload with a content type and nothing else. */
    static BareRabbit bodiesOnly(ConnectionFactory factory, Drain.AfterRound afterRound) {
        BasicProperties constant = persistent().build();
        return new BareRabbit("rabbitmq bodies", factory, (load, number) -> constant, afterRound);
    }

    private static BasicProperties.Builder persistent() {
        return new BasicProperties.Builder().contentType("application/json").deliveryMode(2);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public double run(Load load) throws Exception {
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            Window window = new Window();
            channel.confirmSelect();
            channel.addConfirmListener(window::confirmed, (tag, multiple) -> {
                throw new IllegalStateException("The broker refused message " + tag);
            });
            byte[] payload = load.payload();
            long start = System.nanoTime();
            for (int i = 0; i < load.messages(); i++) {
                window.enter(channel.getNextPublishSeqNo());
                channel.basicPublish(Load.TOPIC, Load.TYPE, true, properties.apply(load, i), payload);
            }
            window.awaitEmpty();
            double seconds = (System.nanoTime() - start) / 1e9;
            afterRound.run(load);
            return load.messages() / seconds;
        }
    }

    /** Lets a thousand messages be unconfirmed. */
    private static final class Window {

        private final Semaphore free = new Semaphore(IN_FLIGHT);
        private final NavigableSet<Long> unconfirmed = new ConcurrentSkipListSet<>();

        private void enter(long tag) throws InterruptedException {
            acquire(1);
            unconfirmed.add(tag);
        }

        private void awaitEmpty() throws InterruptedException {
            acquire(IN_FLIGHT);
        }

        private void acquire(int places) throws InterruptedException {
            if (!free.tryAcquire(places, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("The broker did not confirm within %d s".formatted(PATIENCE_SECONDS));
            }
        }

        private void confirmed(long tag, boolean multiple) {
            NavigableSet<Long> confirmed =
                    multiple ? unconfirmed.headSet(tag, true) : unconfirmed.subSet(tag, true, tag, true);
            int count = confirmed.size();
            confirmed.clear();
            free.release(count);
        }
    }
}
