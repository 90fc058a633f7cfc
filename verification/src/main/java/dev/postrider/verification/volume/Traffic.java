package dev.postrider.verification.volume;

import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.OutboxMessage;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A producer at a steady rate and relays that deliver to a publisher which takes everything at once. */
final class Traffic implements AutoCloseable {

    private static final String TOPIC = "steady";
    private static final int KEYS = 500;
    private static final double NANOS_PER_MILLI = 1_000_000;
    private static final long BEAT = TimeUnit.MILLISECONDS.toNanos(5);

    private final Table table;
    private final List<HikariDataSource> pools = new ArrayList<>();
    private final List<Relay> relays = new ArrayList<>();
    private final Map<UUID, Long> committed = new ConcurrentHashMap<>();
    private final AtomicLong enqueued = new AtomicLong();
    private final AtomicLong delivered = new AtomicLong();
    private final AtomicLong others = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong slowest = new AtomicLong();
    private final AtomicLong longestPause = new AtomicLong();
    private final AtomicLong lastDelivery = new AtomicLong();
    private final AtomicLong longestStall = new AtomicLong();
    private final Thread producer;
    private final Thread metronome = new Thread(this::beat, "metronome");
    private volatile long begin = System.nanoTime();
    private volatile boolean running = true;

    /**
     * How the steady messages fared.
     *
     * @param slowestMillis the longest time from just before the commit to the ack
     * @param longestPauseMillis the longest time between two deliveries
     * @param stallMillis how late a thread that does nothing was woken at worst: what the machine adds by itself
     */
    record Figures(double slowestMillis, double longestPauseMillis, double stallMillis) {}

    Traffic(Table table, int relayCount, int perSecond) {
        this.table = table;
        for (int i = 0; i < relayCount; i++) {
            HikariDataSource pool = table.ownPool();
            pools.add(pool);
            relays.add(Relay.builder(JdbcOutboxStore.builder(pool).build(), new Sink())
                    .listener(new ErrorCount())
                    .build()
                    .start());
        }
        producer = new Thread(() -> produce(table, TimeUnit.SECONDS.toNanos(1) / perSecond), "producer");
        producer.start();
        metronome.start();
    }

    private void beat() {
        while (running) {
            long began = System.nanoTime();
            LockSupport.parkNanos(BEAT);
            longestStall.accumulateAndGet(System.nanoTime() - began - BEAT, Math::max);
        }
    }

    private void produce(Table table, long spacing) {
        JdbcOutbox outbox = JdbcOutbox.create();
        try (Connection connection = table.pool().getConnection()) {
            connection.setAutoCommit(false);
            long next = System.nanoTime();
            while (running) {
                OutboxMessage message = OutboxMessage.to(TOPIC, "placed")
                        .key("key-" + enqueued.get() % KEYS)
                        .payload("{\"number\":%d}".formatted(enqueued.get()))
                        .build();
                outbox.enqueue(connection, message);
                committed.put(message.id(), System.nanoTime());
                connection.commit();
                enqueued.incrementAndGet();
                relays.forEach(Relay::wake);
                next += spacing;
                while (running && System.nanoTime() < next) {
                    LockSupport.parkNanos(next - System.nanoTime());
                }
            }
        } catch (SQLException e) {
            errors.incrementAndGet();
            throw new IllegalStateException("The producer failed", e);
        }
    }

    /** Begins to measure anew; what was enqueued before does not count. */
    void begin() {
        begin = System.nanoTime();
        longestStall.set(0);
        slowest.set(0);
        longestPause.set(0);
        lastDelivery.set(0);
    }

    Figures figures() {
        return new Figures(
                slowest.get() / NANOS_PER_MILLI,
                longestPause.get() / NANOS_PER_MILLI,
                longestStall.get() / NANOS_PER_MILLI);
    }

    long enqueued() {
        return enqueued.get();
    }

    long delivered() {
        return delivered.get();
    }

    /** Deliveries of messages that the producer did not enqueue. */
    long others() {
        return others.get();
    }

    /** Turns of a relay and transactions of the producer that did not succeed. */
    long errors() {
        return errors.get();
    }

    /** Lets the producer stop; the relays go on. */
    void stopProducing() {
        running = false;
        try {
            producer.join();
            metronome.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stopProducing();
        relays.forEach(Relay::close);
        pools.forEach(HikariDataSource::close);
    }

    private final class Sink implements MessagePublisher {

        @Override
        public void publish(List<ClaimedMessage> wave, PublishAnswers answers) {
            for (ClaimedMessage claimed : wave) {
                answers.answer(claimed, PublishResult.acked());
                if (claimed.message().topic().equals(TOPIC)) {
                    note(claimed.message().id());
                } else {
                    others.incrementAndGet();
                }
            }
        }

        private void note(UUID id) {
            long now = System.nanoTime();
            Long since = committed.remove(id);
            if (since != null) {
                delivered.incrementAndGet();
            }
            if (since != null && since >= begin) {
                slowest.accumulateAndGet(now - since, Math::max);
                long before = lastDelivery.getAndSet(now);
                if (before != 0) {
                    longestPause.accumulateAndGet(now - before, Math::max);
                }
            }
        }
    }

    private final class ErrorCount implements RelayListener {

        @Override
        public void turnFailed(String loop, Throwable cause) {
            errors.incrementAndGet();
            table.progress("a turn of %s failed: %s".formatted(loop, ErrorText.of(cause)));
        }
    }
}
