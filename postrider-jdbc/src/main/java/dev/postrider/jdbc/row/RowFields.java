package dev.postrider.jdbc.row;

import dev.postrider.OutboxMessage;
import dev.postrider.database.Dialect;
import dev.postrider.database.HeaderCodec;
import dev.postrider.spi.Shards;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** Binds what the application says of a message to the first twelve parameters of an insert. Keeps no state. */
public final class RowFields {

    private RowFields() {}

    /** Binds id, namespace, topic, key, shard, type, version, tenant, dedupe key, content type, headers and limit. */
    public static void bind(PreparedStatement insert, Dialect dialect, OutboxMessage message) throws SQLException {
        insert.setObject(1, dialect.id(message.id()));
        insert.setString(2, message.namespace());
        insert.setString(3, message.topic());
        bindText(insert, 4, message.key().orElse(null));
        insert.setInt(5, Shards.of(message));
        insert.setString(6, message.type());
        insert.setInt(7, message.version());
        bindText(insert, 8, message.tenant().orElse(null));
        bindText(insert, 9, message.dedupeKey().orElse(null));
        insert.setString(10, message.contentType());
        bindText(insert, 11, HeaderCodec.encode(message.headers()));
        if (message.maxAttempts().isPresent()) {
            insert.setInt(12, message.maxAttempts().getAsInt());
        } else {
            insert.setNull(12, Types.INTEGER);
        }
    }

    /** Binds a text, or null. */
    public static void bindText(PreparedStatement insert, int index, @Nullable String value) throws SQLException {
        if (value == null) {
            insert.setNull(index, Types.VARCHAR);
        } else {
            insert.setString(index, value);
        }
    }
}
