package dev.postrider.benchmarks.contenders;

import dev.postrider.benchmarks.contest.arena.Arena;
import dev.postrider.benchmarks.contest.arena.Cargo;
import io.debezium.connector.postgresql.PostgresConnector;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import io.debezium.engine.spi.OffsetCommitPolicy;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.FileOffsetBackingStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Debezium's asynchronous engine in this process, reading an insert-only table from the log of PostgreSQL. It keeps a
 * position, not the state of a message.
 */
final class Debezium extends InsertTransactions {

    private static final Logger log = LoggerFactory.getLogger(Debezium.class);
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final long STEP_NANOS = Duration.ofMillis(20).toNanos();
    private static final String TABLE = "outbox_event";
    private static final String PUBLICATION = "outbox_publication";

    private static final Map<String, String> TUNING = Map.of(
            "plugin.name", "pgoutput",
            "max.batch.size", "2048",
            "max.queue.size", "8192",
            "poll.interval.ms", "10");

    private final String slot;
    private final URI server;
    private volatile int recorded;
    private volatile @Nullable Exception failure;
    private @Nullable Path offsets;
    private @Nullable DebeziumEngine<?> engine;
    private @Nullable Thread thread;

    Debezium(Arena arena) {
        super(arena, 20, "insert into outbox_event (aggregatetype, aggregateid, type, payload) values (?, ?, ?, ?)");
        server = URI.create(arena.url().substring("jdbc:".length()));
        slot = "debezium_" + database();
    }

    @Override
    public Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>(TUNING);
        settings.put("version", Jar.of(Connect.class));
        settings.put("engine", "async");
        settings.put("table", "insert-only");
        settings.put("offsets", "in a file after each batch");
        return settings;
    }

    @Override
    public void install() throws Exception {
        offsets = Files.createTempFile("debezium", ".offsets");
        arena.execute(
                """
                create table outbox_event (
                    id            bigint generated always as identity primary key,
                    aggregatetype text   not null,
                    aggregateid   text   not null,
                    type          text   not null,
                    payload       bytea  not null)
                """,
                "create publication %s for table %s with (publish = 'insert')".formatted(PUBLICATION, TABLE),
                "select pg_create_logical_replication_slot('%s', 'pgoutput')".formatted(slot));
    }

    @Override
    protected void bind(PreparedStatement insert, String key, String payload) throws SQLException {
        insert.setString(1, Cargo.TOPIC);
        insert.setString(2, key);
        insert.setString(3, Cargo.TYPE);
        insert.setBytes(4, Cargo.bytes(payload));
    }

    @Override
    public void start() throws Exception {
        recorded = arena.sink().arrivals().distinct();
        engine = DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                .using(properties())
                .using(OffsetCommitPolicy.always())
                .using(this::ended)
                .notifying(this::deliver)
                .build();
        thread = new Thread(engine, "debezium");
        thread.start();
        awaitSlot(true);
    }

    @Override
    public void stop() throws Exception {
        if (engine != null && thread != null) {
            engine.close();
            thread.join();
            engine = null;
            awaitSlot(false);
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public boolean settled() {
        return recorded >= arena.sink().arrivals().distinct();
    }

    @Override
    public void close() {
        super.close();
        try {
            stop();
        } catch (Exception e) {
            throw new IllegalStateException("Could not stop the engine", e);
        } finally {
            tidy();
        }
    }

    // A slot that is left behind keeps the server's log for ever.
    private void tidy() {
        try {
            arena.execute("select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = '%s'"
                    .formatted(slot));
            if (offsets != null) {
                Files.deleteIfExists(offsets);
            }
        } catch (SQLException | IOException e) {
            log.warn("The slot {} may be left behind", slot, e);
        }
    }

    private void deliver(
            List<RecordChangeEvent<SourceRecord>> batch,
            DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
            throws InterruptedException {
        List<CompletableFuture<Void>> deliveries = new ArrayList<>(batch.size());
        for (RecordChangeEvent<SourceRecord> change : batch) {
            Struct row = ((Struct) change.record().value()).getStruct("after");
            deliveries.add(arena.sink().send(row.getString("aggregateid"), bytes(row.get("payload"))));
        }
        try {
            for (CompletableFuture<Void> delivery : deliveries) {
                delivery.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("Could not deliver a batch of " + batch.size(), e);
        }
        for (RecordChangeEvent<SourceRecord> change : batch) {
            committer.markProcessed(change);
        }
        committer.markBatchFinished();
        recorded = arena.sink().arrivals().distinct();
    }

    private static byte[] bytes(Object value) {
        ByteBuffer buffer = ((ByteBuffer) value).duplicate();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private void ended(boolean success, String message, @Nullable Throwable error) {
        if (!success) {
            failure = new IllegalStateException("Debezium has given up: " + message, error);
        }
    }

    private void awaitSlot(boolean active) throws Exception {
        String held = "select active from pg_replication_slots where slot_name = '%s'".formatted(slot);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!arena.query(held).equals(active ? "t" : "f")) {
            if (failure != null) {
                throw failure;
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "The slot %s was not %s within %s".formatted(slot, active ? "read" : "released", PATIENCE));
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
    }

    private Properties properties() {
        Properties properties = new Properties();
        properties.putAll(TUNING);
        properties.putAll(Map.of(
                "name", "contest",
                "connector.class", PostgresConnector.class.getName(),
                "topic.prefix", "contest",
                "database.hostname", server.getHost(),
                "database.port", Integer.toString(server.getPort()),
                "database.user", arena.user(),
                "database.password", arena.password(),
                "database.dbname", database()));
        properties.putAll(Map.of(
                "slot.name",
                slot,
                "publication.name",
                PUBLICATION,
                "publication.autocreate.mode",
                "disabled",
                "table.include.list",
                "public." + TABLE,
                "snapshot.mode",
                "no_data",
                "offset.storage",
                FileOffsetBackingStore.class.getName(),
                "offset.storage.file.filename",
                String.valueOf(offsets)));
        return properties;
    }

    private String database() {
        return server.getPath().substring(1);
    }
}
