package dev.postrider.saga;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.database.OpenTransaction;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.PreparedDatabases;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** A fresh database with the tables of outbox and sagas, and a pool. */
final class SagaFixture implements AutoCloseable {

    static final SagaVersion ORDER = new SagaVersion("order", 1);

    private static final PreparedDatabases PREPARED = new PreparedDatabases(SagaFixture::prepare);
    private static final AtomicLong NUMBER = new AtomicLong();

    private final Database database;
    private final HikariDataSource pool;

    private SagaFixture(Database database, HikariDataSource pool) {
        this.database = database;
        this.pool = pool;
    }

    /** Skips the test, with the reason, where the database cannot be started. */
    static SagaFixture create(Kind kind) {
        Availability availability = Database.available(kind);
        Assumptions.assumeTrue(availability.available(), availability::reason);
        Database database = PREPARED.take(kind);
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(12);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(60_000);
        // Otherwise the pool connects once for nothing.
        config.setInitializationFailTimeout(-1);
        return new SagaFixture(database, new HikariDataSource(config));
    }

    private static void prepare(DataSource source) {
        OutboxSchema.of(source).migrate();
        SagaSchema.of(source).migrate();
    }

    DataSource pool() {
        return pool;
    }

    SagaStore store() {
        return new SagaStore(pool, SagaSchema.DEFAULT_NAMES);
    }

    /** Returns ids in the order in which they are asked for, as those of sagas are. */
    static UUID nextId() {
        long number = NUMBER.incrementAndGet();
        return new UUID(0x0190_0000_0000_7000L + (number << 16), 0x8000_0000_0000_0000L + number);
    }

    static NewSaga durable(@Nullable String key) {
        return durable(ORDER, key);
    }

    static NewSaga durable(SagaVersion definition, @Nullable String key) {
        return NewSaga.running(SagaHead.of(nextId(), definition, key, SagaMode.DURABLE, "json"), "{}", null);
    }

    /** Inserts a durable saga that is due. */
    static UUID start(SagaStore store) {
        return start(store, durable(null));
    }

    static UUID start(SagaStore store, NewSaga saga) {
        if (!transacted(store, connection -> store.insert(connection, saga))) {
            throw new IllegalStateException("There is a saga with this key");
        }
        return saga.head().id();
    }

    /** Claims the saga that has been due for the longest time. */
    static ClaimedSaga claimOne(SagaStore store, Duration claimFor, String by) {
        return store.claim(Set.of(ORDER), 1, claimFor, by).get(0);
    }

    static <T> T transacted(SagaStore store, Work<T> work) {
        try (OpenTransaction transaction = store.begin(null)) {
            T result = work.run(transaction.session().connection());
            transaction.commit();
            return result;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void execute(String... statements) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(String.join("; ", statements), e);
        }
    }

    List<String> texts(String query) {
        List<String> all = new ArrayList<>();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                all.add(row.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
        return all;
    }

    long count(String from) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + from)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(from, e);
        }
    }

    @Override
    public void close() {
        pool.close();
        database.close();
    }

    @FunctionalInterface
    interface Work<T> {

        T run(Connection connection) throws SQLException;
    }
}
