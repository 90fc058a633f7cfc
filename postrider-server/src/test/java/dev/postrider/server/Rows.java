package dev.postrider.server;

import dev.postrider.OutboxMessage;
import dev.postrider.server.source.SourceContext;
import java.sql.Connection;
import java.sql.SQLException;

/** Puts messages into the outbox of a source. */
final class Rows {

    private Rows() {}

    static String enqueue(SourceContext source, String topic, String payload) {
        OutboxMessage message =
                OutboxMessage.to(topic, "placed").key("42").payload(payload).build();
        try (Connection connection = source.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            source.postrider().outbox().enqueue(connection, message);
            connection.commit();
            return message.id().toString();
        } catch (SQLException e) {
            throw new IllegalStateException("Could not enqueue", e);
        }
    }
}
