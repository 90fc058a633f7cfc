package dev.postrider.server.dev.shop;

import dev.postrider.inbox.InboxListener;
import dev.postrider.inbox.InboxTransaction;
import dev.postrider.inbox.ReceivedMessage;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * The receiving side of the demo shop. It remembers the last message of each order and topic, and so notices one that
 * comes too late. Thread-safe.
 */
final class ShopConsumers {

    /** The consumer that refuses mails without an address. */
    static final String MAILER = "mailer";

    /** The address that makes the mailer fail. */
    static final String NO_ADDRESS = "nobody";

    private static final String LAST = """
            select last_seq
              from demo_received
             where order_id = ?
               and topic = ?
            """;

    private static final String FIRST_MESSAGE = """
            insert into demo_received (last_seq, order_id, topic, messages)
            values (?, ?, ?, 1)
            """;

    private static final String NEXT_MESSAGE = """
            update demo_received
               set last_seq = ?,
                   messages = messages + 1
             where order_id = ?
               and topic = ?
            """;

    private final ShopCounts counts;

    ShopConsumers(ShopCounts counts) {
        this.counts = counts;
    }

    List<ShopConsumer> all() {
        return List.of(
                new ShopConsumer("warehouse", List.of(ShopMessages.ORDERS, ShopMessages.INVENTORY), this::remember),
                new ShopConsumer("ledger", List.of(ShopMessages.PAYMENTS, ShopMessages.INVOICES), this::remember),
                new ShopConsumer("tracking", List.of(ShopMessages.SHIPMENTS), this::remember),
                new ShopConsumer(MAILER, List.of(ShopMessages.MAILS), this::mail));
    }

    /** Counts what the inbox has committed. */
    InboxListener listener() {
        return new InboxListener() {
            @Override
            public void processed(String consumer, int messages, Duration took) {
                counts.handled.addAndGet(messages);
            }
        };
    }

    private void mail(ReceivedMessage message, InboxTransaction transaction) throws SQLException {
        if (new String(message.payload(), StandardCharsets.UTF_8).contains("\"" + NO_ADDRESS + "\"")) {
            throw new IllegalArgumentException("The mail has no address: '%s'".formatted(NO_ADDRESS));
        }
        remember(message, transaction);
    }

    private void remember(ReceivedMessage message, InboxTransaction transaction) throws SQLException {
        Connection connection = transaction.connection();
        long order = Sale.idOf(message.key().orElseThrow());
        long seq = message.sequence().orElseThrow();
        OptionalLong last = last(connection, order, message.topic());
        boolean late = last.isPresent() && last.getAsLong() > seq;
        write(connection, last.isPresent() ? NEXT_MESSAGE : FIRST_MESSAGE, seq, order, message.topic());
        if (late) {
            counts.outOfOrder.incrementAndGet();
        }
    }

    private static OptionalLong last(Connection connection, long order, String topic) throws SQLException {
        try (PreparedStatement last = connection.prepareStatement(LAST)) {
            last.setLong(1, order);
            last.setString(2, topic);
            try (ResultSet row = last.executeQuery()) {
                return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    private static void write(Connection connection, String sql, long seq, long order, String topic)
            throws SQLException {
        try (PreparedStatement write = connection.prepareStatement(sql)) {
            write.setLong(1, seq);
            write.setLong(2, order);
            write.setString(3, topic);
            write.executeUpdate();
        }
    }
}
