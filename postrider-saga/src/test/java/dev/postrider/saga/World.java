package dev.postrider.saga;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.jdbc.OutboxSchema;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.PreparedDatabases;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/** A fresh database with the tables of outbox and sagas, and one in which steps leave their effects. */
final class World implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final PreparedDatabases PREPARED = new PreparedDatabases(World::prepare);

    private final Database database;
    private final HikariDataSource pool;

    private World(Database database, HikariDataSource pool) {
        this.database = database;
        this.pool = pool;
    }

    static World create(Kind kind) {
        Availability availability = Database.available(kind);
        Assumptions.assumeTrue(availability.available(), availability::reason);
        Database database = PREPARED.take(kind);
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(12);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(PATIENCE.toMillis());
        // Otherwise the pool connects once for nothing.
        config.setInitializationFailTimeout(-1);
        return new World(database, new HikariDataSource(config));
    }

    private static void prepare(DataSource source) {
        OutboxSchema.of(source).migrate();
        SagaSchema.of(source).migrate();
        execute(source, "create table effect (what varchar(100) not null, n integer not null)");
    }

    DataSource pool() {
        return pool;
    }

    Kind kind() {
        return database.kind();
    }

    SagaEngine.Builder engine(SagaDefinition<?>... definitions) {
        SagaEngine.Builder builder = SagaEngine.builder(pool).claimFor(Duration.ofMillis(50));
        for (SagaDefinition<?> each : definitions) {
            builder.register(each);
        }
        return builder;
    }

    /** Leaves an effect in the transaction of a step. */
    static void effect(Connection connection, String what) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into effect (what, n) values (?, 1)")) {
            insert.setString(1, what);
            insert.executeUpdate();
        }
    }

    /** Leaves an effect in a transaction of its own, as another system would. */
    void effect(String what) {
        try (Connection connection = pool.getConnection()) {
            effect(connection, what);
        } catch (SQLException e) {
            throw new IllegalStateException(what, e);
        }
    }

    List<String> effects() {
        return strings("select what from effect order by what");
    }

    List<String> topics() {
        return strings("select topic from outbox_message order by seq");
    }

    /** Returns the ids of all messages, as texts. */
    List<String> messageIds() {
        boolean binary = kind() == Kind.MARIADB || kind() == Kind.MYSQL;
        return strings("select " + (binary ? "lower(hex(id))" : "id") + " from outbox_message order by seq").stream()
                .map(each -> each.replace("-", ""))
                .toList();
    }

    static String text(UUID id) {
        return id.toString().replace("-", "");
    }

    String status(UUID saga) {
        return String.join(",", strings("select status from saga_instance where saga_id = '" + saga + "'"));
    }

    List<String> strings(String sql) {
        List<String> all = new ArrayList<>();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                all.add(row.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
        return all;
    }

    void execute(String... statements) {
        execute(pool, statements);
    }

    private static void execute(DataSource source, String... statements) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(String.join("; ", statements), e);
        }
    }

    /** Takes turns until the saga has ended or is stuck. */
    static <C> SagaResult<C> drive(Runnable turn, SagaHandle<C> saga) {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(() -> {
            turn.run();
            return !saga.result().status().active();
        });
        return saga.result();
    }

    /** Takes turns until the saga has this status. */
    static <C> SagaResult<C> drive(Runnable turn, SagaHandle<C> saga, SagaStatus until) {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(() -> {
            turn.run();
            return saga.result().status() == until;
        });
        return saga.result();
    }

    /** Takes turns until something is so. */
    static void drive(Runnable turn, BooleanSupplier until) {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(() -> {
            turn.run();
            return until.getAsBoolean();
        });
    }

    @Override
    public void close() {
        pool.close();
        database.close();
    }
}
