package dev.postrider.server.dev.shop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** The tables of the demo shop, in SQL that every supported database knows. Thread-safe. */
final class ShopTables {

    private static final List<String> CREATE = List.of("""
            create table if not exists demo_order (
                id bigint not null primary key,
                customer varchar(60) not null,
                cents bigint not null,
                status varchar(20) not null
            )
            """, """
            create table if not exists demo_reservation (
                order_id bigint not null primary key,
                pieces integer not null
            )
            """, """
            create table if not exists demo_payment (
                order_id bigint not null primary key,
                cents bigint not null
            )
            """, """
            create table if not exists demo_shipment (
                order_id bigint not null primary key,
                carrier varchar(60) not null
            )
            """, """
            create table if not exists demo_received (
                order_id bigint not null,
                topic varchar(60) not null,
                messages integer not null,
                last_seq bigint not null,
                primary key (order_id, topic)
            )
            """);

    private static final List<Trim> TRIM = List.of(
            new Trim("select min(id) from demo_order", "delete from demo_order where id < ?"),
            new Trim("select min(order_id) from demo_reservation", "delete from demo_reservation where order_id < ?"),
            new Trim("select min(order_id) from demo_payment", "delete from demo_payment where order_id < ?"),
            new Trim("select min(order_id) from demo_shipment", "delete from demo_shipment where order_id < ?"),
            new Trim("select min(order_id) from demo_received", "delete from demo_received where order_id < ?"));

    // One minute of orders: a delete that locks few rows at the highest rate too.
    private static final long SLICE = 60_000_000;
    private static final int MOST_SLICES = 1_000;

    private final DataSource dataSource;

    private record Trim(String oldest, String delete) {}

    ShopTables(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    void create() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String each : CREATE) {
                statement.execute(each);
            }
        } catch (SQLException e) {
            throw new ShopException("Could not create the tables of the demo shop", e);
        }
    }

    /** Removes orders with a smaller id, and everything about them, in transactions of a few rows each. */
    void trim(long firstKept) {
        try (Connection connection = dataSource.getConnection()) {
            for (Trim each : TRIM) {
                trim(connection, each, firstKept);
            }
        } catch (SQLException e) {
            throw new ShopException("Could not remove old orders of the demo shop", e);
        }
    }

    private static void trim(Connection connection, Trim trim, long firstKept) throws SQLException {
        long next = oldest(connection, trim.oldest(), firstKept);
        try (PreparedStatement delete = connection.prepareStatement(trim.delete())) {
            for (int slice = 0; slice < MOST_SLICES && next < firstKept; slice++) {
                next = Math.min(firstKept, next + SLICE);
                delete.setLong(1, next);
                delete.executeUpdate();
            }
        }
    }

    private static long oldest(Connection connection, String sql, long otherwise) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            long oldest = row.getLong(1);
            return row.wasNull() ? otherwise : oldest;
        }
    }
}
