package dev.postrider.benchmarks.publishers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.services.Database;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A relay that empties an outbox into a publisher. The publisher lives as long as the contender, as in production. */
final class Drain implements Contender {

    private static final int BATCH = 1_000;
    private static final int PATIENCE_SECONDS = 120;

    private final String name;
    private final Database server;
    private final MessagePublisher publisher;
    private final AfterRound afterRound;

    /** Checks and tidies the broker. */
    @FunctionalInterface
    interface AfterRound {

        void run(Load load) throws Exception;
    }

    Drain(String name, Database server, MessagePublisher publisher, AfterRound afterRound) {
        this.name = name;
        this.server = server;
        this.publisher = publisher;
        this.afterRound = afterRound;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public double run(Load load) throws Exception {
        try (Database database = server.freshDatabase();
                HikariDataSource pool = pool(database)) {
            OutboxSchema.of(pool).migrate();
            fill(pool, load);
            double seconds = drain(pool, load);
            afterRound.run(load);
            return load.messages() / seconds;
        }
    }

    private double drain(HikariDataSource pool, Load load) throws InterruptedException {
        Deliveries deliveries = new Deliveries(load.messages());
        // A relay closes nothing it was given, so the publisher survives it.
        try (Relay relay = Relay.builder(JdbcOutboxStore.builder(pool).build(), publisher)
                .listener(deliveries)
                .build()) {
            long start = System.nanoTime();
            relay.start();
            deliveries.await();
            return (System.nanoTime() - start) / 1e9;
        }
    }

    private static HikariDataSource pool(Database database) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(4);
        return new HikariDataSource(config);
    }

    private static void fill(HikariDataSource pool, Load load) throws SQLException {
        JdbcOutbox outbox = JdbcOutbox.create();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int from = 0; from < load.messages(); from += BATCH) {
                outbox.enqueueAll(connection, load.messages(from, Math.min(from + BATCH, load.messages())));
                connection.commit();
            }
            connection.setAutoCommit(true);
            statement.execute("checkpoint");
        }
    }

    @Override
    public void close() {
        publisher.close();
    }

    /** Counts what the store knows as delivered. */
    private static final class Deliveries implements RelayListener {

        private final CountDownLatch missing;
        private final AtomicReference<@Nullable Settlement> unexpected = new AtomicReference<>();

        private Deliveries(int messages) {
            this.missing = new CountDownLatch(messages);
        }

        @Override
        public void settled(List<Settlement> outcomes) {
            for (Settlement settlement : outcomes) {
                if (settlement.outcome() == Settlement.Outcome.DELIVERED) {
                    missing.countDown();
                } else {
                    unexpected.set(settlement);
                }
            }
        }

        private void await() throws InterruptedException {
            boolean done = missing.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            Settlement odd = unexpected.get();
            if (odd != null) {
                throw new IllegalStateException(
                        "A message was not delivered but %s: %s".formatted(odd.outcome(), odd.error()));
            }
            if (!done) {
                throw new IllegalStateException(
                        "%d messages were not delivered within %d s".formatted(missing.getCount(), PATIENCE_SECONDS));
            }
        }
    }
}
