package dev.postrider.benchmarks.publishers;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The client alone: persistent messages, a thousand of them unconfirmed at any time, no database. */
final class BareRabbit implements Contender {

    private static final int IN_FLIGHT = 1_000;
    private static final int PATIENCE_SECONDS = 120;

    private final ConnectionFactory factory;
    private final Drain.AfterRound afterRound;

    BareRabbit(ConnectionFactory factory, Drain.AfterRound afterRound) {
        this.factory = factory;
        this.afterRound = afterRound;
    }

    @Override
    public String name() {
        return "rabbitmq bare";
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
            BasicProperties persistent = new BasicProperties.Builder()
                    .contentType("application/json")
                    .deliveryMode(2)
                    .build();
            byte[] payload = load.payload();
            long start = System.nanoTime();
            for (int i = 0; i < load.messages(); i++) {
                window.enter(channel.getNextPublishSeqNo());
                channel.basicPublish(Load.TOPIC, "OrderPlaced", true, persistent, payload);
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
