package dev.postrider.verification.claims;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.jdbc.JdbcOutboxStore;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.services.Database;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicFilter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One scenario in a database of its own, fetched from and settled as a relay does it. */
final class Subject implements AutoCloseable {

    private static final String RELAY = "measurement";
    private static final int BATCH = 500;
    private static final int ROUND = 1_000;
    private static final Set<Integer> ALL_SHARDS =
            IntStream.range(0, 64).boxed().collect(Collectors.toUnmodifiableSet());

    private final Engine engine;
    private final Scenario scenario;
    private final Database database;
    private final HikariDataSource pool;
    private final JdbcOutboxStore store;
    private final List<Double> fetchMicros = new ArrayList<>();
    private @Nullable Connection held;
    private Map<Integer, Long> epochs = Map.of();
    private Set<Long> ended = Set.of();
    private long cursor;
    private long walBytes;
    private long messages;

    Subject(Engine engine, Scenario scenario, Database server) {
        this.engine = engine;
        this.scenario = scenario;
        this.database = server.freshDatabase();
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(4);
        this.pool = new HikariDataSource(config);
        this.store = JdbcOutboxStore.builder(pool).build();
    }

    void prepare() throws SQLException {
        OutboxSchema.of(pool).migrate();
        if (scenario.delivered > 0) {
            run(engine.delivered(scenario.delivered));
        }
        if (scenario.waiting > 0) {
            run(engine.waiting(scenario.waiting));
        }
        // A relay that ran before has left its low-water mark behind these rows.
        cursor = scenario.delivered + scenario.waiting > 0 ? number("select max(seq) from outbox_message") : 0;
        if (scenario.pending > 0) {
            run(engine.pending(scenario.pending));
        }
        run(engine.analyze());
        store.renew(RELAY, Duration.ofHours(1));
        epochs = store.acquire(RELAY, ALL_SHARDS).shards().stream()
                .collect(Collectors.toUnmodifiableMap(OwnedShard::shard, OwnedShard::epoch));
        if (scenario.heldTransaction) {
            held = hold();
        }
    }

    /** Fetches and settles a thousand messages; the first rounds only warm up. */
    void round(boolean counts) throws SQLException {
        if (scenario.pending == 0) {
            run(engine.pending(ROUND));
        }
        long before = wal();
        for (int i = 0; i < ROUND / BATCH; i++) {
            long start = System.nanoTime();
            FetchedPage page = store.fetch(request(), SeqRange.above(cursor), BATCH);
            double micros = (System.nanoTime() - start) / 1_000.0;
            if (page.rows().size() != BATCH) {
                throw new IllegalStateException("%s: fetched %d instead of %d"
                        .formatted(scenario, page.rows().size(), BATCH));
            }
            cursor = page.scannedTo();
            store.settle(page.rows().stream()
                    .map(row -> Settlement.delivered(row.claimed()))
                    .toList());
            if (counts) {
                fetchMicros.add(micros / BATCH);
            }
        }
        if (counts) {
            walBytes += wal() - before;
            messages += ROUND;
        }
    }

    double medianFetchMicros() {
        return percentile(0.5);
    }

    double percentile(double share) {
        List<Double> sorted = fetchMicros.stream().sorted().toList();
        return sorted.get((int) (share * (sorted.size() - 1)));
    }

    double walBytesPerMessage() {
        return (double) walBytes / messages;
    }

    Scenario scenario() {
        return scenario;
    }

    @Override
    public void close() throws SQLException {
        if (held != null) {
            held.close();
        }
        pool.close();
        database.close();
    }

    private FetchRequest request() {
        long token = ThreadLocalRandom.current().nextLong();
        FetchRequest request = new FetchRequest(
                RELAY, epochs, TopicFilter.ALL, new ClaimSize(BATCH, 1L << 30), Set.of(), token, ended);
        ended = Set.of(token);
        return request;
    }

    // The snapshot keeps every old row version alive, the write makes it a writing transaction.
    private Connection hold() throws SQLException {
        Connection connection = database.dataSource().getConnection();
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("select count(*) from outbox_shard");
            statement.execute("create temporary table held (a int)");
            statement.execute("select count(*) from outbox_message where seq < 10");
        }
        return connection;
    }

    private long wal() throws SQLException {
        return engine == Engine.POSTGRES
                ? number("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint")
                : 0;
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
