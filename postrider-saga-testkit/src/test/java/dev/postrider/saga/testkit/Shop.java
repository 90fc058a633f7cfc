package dev.postrider.saga.testkit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postrider.OutboxMessage;
import dev.postrider.saga.SagaCodec;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;

/** A fresh database with a table in which steps note what they did for an order. */
final class Shop implements AutoCloseable {

    private final Database database;
    private final HikariDataSource pool;

    private Shop(Database database, HikariDataSource pool) {
        this.database = database;
        this.pool = pool;
    }

    /** What is ordered, and what the steps have found out. */
    record Order(String id, String found) {

        static Order fresh() {
            return new Order(UUID.randomUUID().toString(), "");
        }

        Order with(String more) {
            return new Order(id, found + more);
        }
    }

    /** Writes orders as two words. */
    static final class Codec implements SagaCodec<Order> {

        @Override
        public String name() {
            return "words";
        }

        @Override
        public String encode(Order order) {
            return order.id() + " " + order.found();
        }

        @Override
        public Order decode(String text) {
            int space = text.indexOf(' ');
            return new Order(text.substring(0, space), text.substring(space + 1));
        }
    }

    static Shop open(Kind kind) throws SQLException {
        Availability availability = Database.available(kind);
        Assumptions.assumeTrue(availability.available(), availability::reason);
        Database database = Database.shared(kind).freshDatabase();
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(60_000);
        // Otherwise the pool connects once for nothing.
        config.setInitializationFailTimeout(-1);
        Shop shop = new Shop(database, new HikariDataSource(config));
        try (Connection connection = shop.pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table note (order_id varchar(36) not null, what varchar(100) not null)");
        }
        return shop;
    }

    DataSource pool() {
        return pool;
    }

    static void note(Connection connection, Order order, String what) throws SQLException {
        run(connection, "insert into note (order_id, what) values (?, ?)", order, what);
    }

    static void erase(Connection connection, Order order, String what) throws SQLException {
        run(connection, "delete from note where order_id = ? and what = ?", order, what);
    }

    private static void run(Connection connection, String sql, Order order, String what) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, order.id());
            statement.setString(2, what);
            statement.executeUpdate();
        }
    }

    /** Notes something as no step should: in a transaction of its own. */
    void noteElsewhere(Order order, String what) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            note(connection, order, what);
        }
    }

    static List<Object> notes(Connection connection, Order order) throws SQLException {
        List<Object> notes = new ArrayList<>();
        try (PreparedStatement statement =
                connection.prepareStatement("select what from note where order_id = ? order by what")) {
            statement.setString(1, order.id());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    notes.add(row.getString(1));
                }
            }
        }
        return notes;
    }

    static OutboxMessage message(String type) {
        return OutboxMessage.to("orders", type).payload("{}").build();
    }

    @Override
    public void close() {
        pool.close();
        database.close();
    }
}
