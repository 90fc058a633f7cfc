package dev.postrider.jdbc;

import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.ClaimedMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads rows of the message table. */
final class MessageRows {

    /** What a relay needs of a row. */
    static final String CLAIMED = """
            m.seq, m.id, m.namespace, m.topic, m.message_key, m.shard, m.type, m.version, m.tenant, m.dedupe_key,
            m.content_type, m.headers, m.max_attempts, m.attempts, m.lost_claims, m.on_trial, m.holds_key, m.payload""";

    /** What a person may see of a row. */
    static final String STORED = """
            m.seq, m.id, m.namespace, m.topic, m.message_key, m.type, m.version, m.tenant, m.dedupe_key,
            m.content_type, m.headers, m.max_attempts, m.attempts, m.status, m.claimed_by, m.last_error, m.created_at,
            m.updated_at, m.due_at, m.claim_until, m.delivered_at, m.died_at, m.payload""";

    private static final Logger log = LoggerFactory.getLogger(MessageRows.class);

    private MessageRows() {}

    static ClaimedMessage claimed(Dialect dialect, ResultSet row, long token) throws SQLException {
        return new ClaimedMessage(
                row.getLong("seq"),
                token,
                row.getInt("shard"),
                row.getInt("attempts"),
                row.getBoolean("holds_key"),
                row.getInt("lost_claims"),
                row.getBoolean("on_trial"),
                message(dialect, row));
    }

    static StoredMessage stored(Dialect dialect, ResultSet row) throws SQLException {
        StoredMessage.Times times = new StoredMessage.Times(
                Objects.requireNonNull(dialect.time(row, "created_at")),
                Objects.requireNonNull(dialect.time(row, "updated_at")),
                dialect.time(row, "due_at"),
                dialect.time(row, "claim_until"),
                dialect.time(row, "delivered_at"),
                dialect.time(row, "died_at"));
        return new StoredMessage(
                row.getLong("seq"),
                StatusCode.status(row.getInt("status")),
                row.getInt("attempts"),
                row.getString("claimed_by"),
                row.getString("last_error"),
                times,
                message(dialect, row));
    }

    private static OutboxMessage message(Dialect dialect, ResultSet row) throws SQLException {
        UUID id = dialect.id(row, "id");
        OutboxMessage.Builder message = OutboxMessage.to(row.getString("topic"), row.getString("type"))
                .maxAttempts(row.getObject("max_attempts", Integer.class))
                .id(id)
                .namespace(row.getString("namespace"))
                .key(row.getString("message_key"))
                .version(row.getInt("version"))
                .tenant(row.getString("tenant"))
                .dedupeKey(row.getString("dedupe_key"))
                .contentType(row.getString("content_type"))
                .headers(headers(id, row.getString("headers")))
                .payload(row.getBytes("payload"));
        return message.restore();
    }

    // Another language may have written the row. One bad row must never keep a relay from all the others.
    private static Map<String, String> headers(UUID id, @Nullable String json) {
        try {
            return HeaderCodec.decode(json);
        } catch (IllegalArgumentException e) {
            log.warn("Message {} goes without its headers, which are not a flat JSON object of strings", id, e);
            return Map.of();
        }
    }
}
