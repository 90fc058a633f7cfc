package dev.postrider.benchmarks.contenders;

import dev.postrider.OutboxMessage;
import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Arrivals;
import dev.postrider.benchmarks.contest.arena.Cargo;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayListener;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Postrider as it comes: order per key, 64 shards, every hash checked, every delivered row kept. */
final class Postrider extends PlainTransactions {

    private final JdbcOutbox outbox = JdbcOutbox.create();
    private final Deliveries deliveries = new Deliveries();
    private final ThreadLocal<List<OutboxMessage>> pending = ThreadLocal.withInitial(ArrayList::new);
    private volatile @Nullable Relay relay;
    private @Nullable MessagePublisher publisher;

    private final boolean withCommit;

    Postrider(Arena arena) {
        this(arena, true);
    }

    private Postrider(Arena arena, boolean withCommit) {
        super(arena, 24);
        this.withCommit = withCommit;
    }

    /** Enqueues as an application does whose transactions somebody else commits. */
    static Postrider committedByTheCaller(Arena arena) {
        return new Postrider(arena, false);
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(
                "relay",
                "defaults",
                "enqueue",
                withCommit ? "together with the commit" : "before the commit",
                "rows",
                "kept",
                "order",
                "per key",
                "hash",
                "checked");
    }

    @Override
    public void install() {
        OutboxSchema.of(pool).migrate();
    }

    @Override
    protected void enqueue(Connection connection, int number, String key, String payload) {
        OutboxMessage message = OutboxMessage.to(Cargo.TOPIC, Cargo.TYPE)
                .key(key)
                .payload(Cargo.bytes(payload))
                .build();
        if (withCommit) {
            pending.get().add(message);
        } else {
            outbox.enqueue(connection, message);
        }
    }

    @Override
    protected void commit(Connection connection) throws SQLException {
        if (!withCommit) {
            super.commit(connection);
            return;
        }
        List<OutboxMessage> messages = pending.get();
        try {
            outbox.enqueueAndCommit(connection, messages);
        } finally {
            messages.clear();
        }
    }

    @Override
    protected void committed() {
        Relay started = relay;
        if (started != null) {
            started.wake();
        }
    }

    @Override
    public void start() throws Exception {
        deliveries.reset(arena.sink().arrivals());
        relay = Relay.builder(JdbcOutboxStore.builder(pool).build(), publisher())
                .listener(deliveries)
                .build()
                .start();
    }

    // Kept from start to start, as everybody's connection to the broker is.
    private MessagePublisher publisher() throws Exception {
        MessagePublisher made = publisher;
        if (made == null) {
            made = Publishers.of(arena);
            publisher = made;
        }
        return made;
    }

    @Override
    public void stop() {
        if (relay != null) {
            relay.close();
            relay = null;
        }
    }

    @Override
    public void close() {
        try {
            stop();
            if (publisher != null) {
                publisher.close();
            }
        } finally {
            super.close();
        }
    }

    @Override
    public boolean settled() {
        return deliveries.settled.get() >= arena.sink().arrivals().distinct();
    }

    /** Counts what the store knows as delivered. */
    private static final class Deliveries implements RelayListener {

        private final AtomicInteger settled = new AtomicInteger();

        private void reset(Arrivals arrivals) {
            settled.set(arrivals.distinct());
        }

        @Override
        public void settled(List<Settlement> outcomes) {
            for (Settlement settlement : outcomes) {
                if (settlement.outcome() == Settlement.Outcome.DELIVERED) {
                    settled.incrementAndGet();
                }
            }
        }
    }
}
