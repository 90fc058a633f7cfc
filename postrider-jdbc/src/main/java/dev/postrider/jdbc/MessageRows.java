package dev.postrider.jdbc;

import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.spi.ClaimedMessage;
import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads rows of the message table and tells whether they are sound. Not thread-safe: one for each batch. */
final class MessageRows {

    /** What a relay needs of a row. */
    static final String CLAIMED = """
            m.seq, m.id, m.namespace, m.topic, m.message_key, m.shard, m.type, m.version, m.tenant, m.dedupe_key,
            m.content_type, m.headers, m.content_hash, m.max_attempts, m.attempts, m.lost_claims, m.on_trial,
            m.holds_key, m.payload""";

    /** What a person may see of a row. */
    static final String STORED = """
            m.seq, m.id, m.namespace, m.topic, m.message_key, m.type, m.version, m.tenant, m.dedupe_key,
            m.content_type, m.headers, m.content_hash, m.max_attempts, m.attempts, m.status, m.claimed_by, m.last_error,
            m.created_at, m.updated_at, m.due_at, m.claim_until, m.delivered_at, m.died_at, m.payload""";

    private static final String CHANGED =
            "The content hash does not fit: dedupe key, type, payload or hash is not what was enqueued";
    private static final String HEADERS = "The headers are not a flat JSON object of strings";

    private final Dialect dialect;
    private final ContentHash hash = new ContentHash();

    /** What a row says, and why it must not be published. */
    private record Content(OutboxMessage message, @Nullable String defect) {}

    MessageRows(Dialect dialect) {
        this.dialect = dialect;
    }

    ClaimedMessage claimed(ResultSet row, long token) throws SQLException {
        Content content = content(row);
        return new ClaimedMessage(
                row.getLong("seq"),
                token,
                row.getInt("shard"),
                row.getInt("attempts"),
                row.getBoolean("holds_key"),
                row.getInt("lost_claims"),
                row.getBoolean("on_trial"),
                content.defect,
                content.message);
    }

    StoredMessage stored(ResultSet row) throws SQLException {
        StoredMessage.Times times = new StoredMessage.Times(
                Objects.requireNonNull(dialect.time(row, "created_at")),
                Objects.requireNonNull(dialect.time(row, "updated_at")),
                dialect.time(row, "due_at"),
                dialect.time(row, "claim_until"),
                dialect.time(row, "delivered_at"),
                dialect.time(row, "died_at"));
        Content content = content(row);
        return new StoredMessage(
                row.getLong("seq"),
                StatusCode.status(row.getInt("status")),
                row.getInt("attempts"),
                row.getString("claimed_by"),
                row.getString("last_error"),
                times,
                content.defect,
                content.message);
    }

    // One bad row must never keep a relay from all the others: what is wrong with it is told, not thrown.
    private Content content(ResultSet row) throws SQLException {
        String type = row.getString("type");
        String dedupeKey = row.getString("dedupe_key");
        byte[] payload = row.getBytes("payload");
        OutboxMessage.Builder message = OutboxMessage.to(row.getString("topic"), type)
                .maxAttempts(row.getObject("max_attempts", Integer.class))
                .id(dialect.id(row, "id"))
                .namespace(row.getString("namespace"))
                .key(row.getString("message_key"))
                .version(row.getInt("version"))
                .tenant(row.getString("tenant"))
                .dedupeKey(dedupeKey)
                .contentType(row.getString("content_type"))
                .payload(payload);
        String defect = addHeaders(message, row.getString("headers"));
        if (!MessageDigest.isEqual(hash.of(dedupeKey, type, payload), row.getBytes("content_hash"))) {
            defect = CHANGED;
        }
        return new Content(message.restore(), defect);
    }

    // A message without its headers is another message: it may go to the wrong place, or be taken for another tenant's.
    private static @Nullable String addHeaders(OutboxMessage.Builder message, @Nullable String json) {
        try {
            message.headers(HeaderCodec.decode(json));
            return null;
        } catch (IllegalArgumentException e) {
            return HEADERS;
        }
    }
}
