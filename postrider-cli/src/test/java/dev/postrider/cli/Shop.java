package dev.postrider.cli;

import dev.postrider.OutboxMessage;
import dev.postrider.all.Postrider;
import dev.postrider.relay.ManualRelay;
import dev.postrider.relay.Relay;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Assumptions;

/** A database of its own with messages in it. */
final class Shop implements AutoCloseable {

    private final Database database;
    private final Postrider postrider;

    // An H2 database in memory is there while somebody is connected.
    private final Connection guard;

    private Shop(Database database) {
        this.database = database;
        try {
            this.guard = database.dataSource().getConnection();
        } catch (SQLException e) {
            throw new IllegalStateException("Could not connect", e);
        }
        this.postrider = Postrider.on(database.dataSource()).build();
    }

    static Shop on(Kind kind) {
        Shop shop = withoutTables(kind);
        shop.postrider.migrate();
        return shop;
    }

    static Shop withoutTables(Kind kind) {
        Availability availability = Database.available(kind);
        Assumptions.assumeTrue(availability.available(), availability::reason);
        return new Shop(Database.shared(kind).freshDatabase());
    }

    Database database() {
        return database;
    }

    Postrider postrider() {
        return postrider;
    }

    UUID enqueue(String topic, String key, String payload) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            OutboxMessage message =
                    OutboxMessage.to(topic, "placed").key(key).payload(payload).build();
            UUID id = postrider.outbox().enqueue(connection, message).id();
            connection.commit();
            return id;
        }
    }

    UUID dead(String topic, String key, String error) throws SQLException {
        UUID id = enqueue(topic, key, "{\"amount\":-1}");
        work(1, (relay, claimed) -> relay.nack(claimed, error));
        return id;
    }

    /** A relay that runs until it is closed; every message to {@code payments} fails. */
    Relay relay() {
        MessagePublisher publisher = MessagePublisher.each(message -> {
            if (message.topic().equals("payments")) {
                throw new IllegalStateException("timed out");
            }
        });
        return Relay.builder(postrider.store(), publisher).name("r-1").build().start();
    }

    void deliver() {
        work(20, ManualRelay::ack);
    }

    private void work(int attempts, BiConsumer<ManualRelay, ClaimedMessage> each) {
        Duration wait = Duration.ofHours(1);
        ManualRelay relay = postrider.claimer("worker", RetryPolicy.exponential(wait, wait, attempts));
        List<ClaimedMessage> claimed = relay.claim(1_000, Duration.ofMinutes(5));
        while (!claimed.isEmpty()) {
            claimed.forEach(message -> each.accept(relay, message));
            claimed = relay.claim(1_000, Duration.ofMinutes(5));
        }
    }

    @Override
    public void close() {
        try {
            guard.close();
        } catch (SQLException e) {
            throw new IllegalStateException("Could not disconnect", e);
        }
        database.close();
    }
}
