package dev.postrider.server.dev.shop;

import dev.postrider.OutboxMessage;
import dev.postrider.all.Postrider;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * The business transactions of the demo shop: each changes its tables and enqueues its messages, and commits both or
 * neither. Thread-safe.
 */
final class ShopTill {

    private static final String PLACE = """
            insert into demo_order (id, customer, cents, status)
            values (?, ?, ?, 'PLACED')
            """;

    private static final String ADVANCE = """
            update demo_order
               set status = ?
             where id = ?
            """;

    private static final String PAY = """
            insert into demo_payment (order_id, cents)
            values (?, ?)
            """;

    private static final String SHIP = """
            insert into demo_shipment (order_id, carrier)
            values (?, ?)
            """;

    private final DataSource dataSource;
    private final Postrider postrider;
    private final ShopMessages messages;
    private final ShopCounts counts;
    private final Runnable committed;

    /** Work within the transaction of the till. */
    @FunctionalInterface
    interface ShopWork {

        /** Returns how many messages were enqueued. */
        int run(Connection connection) throws SQLException;
    }

    ShopTill(DataSource dataSource, Postrider postrider, ShopCounts counts, Runnable committed) {
        this.dataSource = dataSource;
        this.postrider = postrider;
        this.messages = new ShopMessages(postrider);
        this.counts = counts;
        this.committed = committed;
    }

    ShopMessages messages() {
        return messages;
    }

    /** Stores the order together with {@code more}, such as the start of a saga. */
    int place(Sale sale, ShopWork more) {
        int enqueued = inTransaction(connection -> {
            insert(connection, sale);
            return enqueue(connection, messages.order(sale, "order-placed")) + more.run(connection);
        });
        counts.placed.incrementAndGet();
        return enqueued;
    }

    /** Stores an order whose customer walks away before the commit: neither row nor message remains. */
    void abandon(Sale sale) {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                insert(connection, sale);
                enqueue(connection, messages.order(sale, "order-placed"));
            } finally {
                connection.rollback();
            }
            counts.rolledBack.incrementAndGet();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    int pay(Sale sale, boolean invoiced) {
        return inTransaction(connection -> {
            pay(connection, sale);
            int sent =
                    enqueue(connection, messages.payment(sale, "payment-captured"), messages.order(sale, "order-paid"));
            return invoiced ? sent + enqueue(connection, messages.invoice(sale, "invoice-issued")) : sent;
        });
    }

    int ship(Sale sale, String carrier, List<OutboxMessage> more) {
        return inTransaction(connection -> {
            ship(connection, sale, carrier);
            int sent = enqueue(connection, messages.shipment(sale, carrier), messages.order(sale, "order-shipped"));
            return sent + enqueue(connection, more.toArray(OutboxMessage[]::new));
        });
    }

    /** Stores an order with an invoice that no broker takes, and two invoices that wait behind it. */
    int poison(Sale sale) {
        return place(
                sale,
                connection -> enqueue(
                        connection,
                        messages.poison(sale),
                        messages.invoice(sale, "invoice-corrected"),
                        messages.invoice(sale, "invoice-paid")));
    }

    /** Marks the order as paid, in the transaction of the caller. */
    void pay(Connection connection, Sale sale) throws SQLException {
        advance(connection, sale, "PAID");
        try (PreparedStatement pay = connection.prepareStatement(PAY)) {
            pay.setLong(1, sale.id());
            pay.setLong(2, sale.cents());
            pay.executeUpdate();
        }
    }

    /** Marks the order as shipped, in the transaction of the caller. */
    void ship(Connection connection, Sale sale, String carrier) throws SQLException {
        advance(connection, sale, "SHIPPED");
        try (PreparedStatement ship = connection.prepareStatement(SHIP)) {
            ship.setLong(1, sale.id());
            ship.setString(2, carrier);
            ship.executeUpdate();
        }
    }

    /** Sets the status of the order, in the transaction of the caller. */
    void advance(Connection connection, Sale sale, String status) throws SQLException {
        try (PreparedStatement advance = connection.prepareStatement(ADVANCE)) {
            advance.setString(1, status);
            advance.setLong(2, sale.id());
            advance.executeUpdate();
        }
    }

    private static void insert(Connection connection, Sale sale) throws SQLException {
        try (PreparedStatement place = connection.prepareStatement(PLACE)) {
            place.setLong(1, sale.id());
            place.setString(2, sale.customer());
            place.setLong(3, sale.cents());
            place.executeUpdate();
        }
    }

    private int enqueue(Connection connection, OutboxMessage... all) {
        for (OutboxMessage message : all) {
            postrider.outbox().enqueue(connection, message);
        }
        return all.length;
    }

    private int inTransaction(ShopWork work) {
        int enqueued;
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                enqueued = work.run(connection);
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        } catch (SQLException e) {
            throw failed(e);
        }
        counts.enqueued.addAndGet(enqueued);
        committed.run();
        return enqueued;
    }

    private static ShopException failed(SQLException e) {
        return new ShopException("A transaction of the demo shop failed", e);
    }
}
