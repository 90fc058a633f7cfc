package dev.postrider.jdbc.row;

import dev.postrider.OutboxMessage;
import dev.postrider.admin.ArchivedMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.database.Dialect;
import dev.postrider.database.HeaderCodec;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.Shards;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads rows of the message table and tells whether they are sound. Not thread-safe: one for each batch. */
public final class MessageRows {

    /** What a relay needs of a row. */
    public static final String CLAIMED = """
            m.seq, m.id, m.namespace, m.topic, m.message_key, m.shard, m.type, m.version, m.tenant, m.dedupe_key,
            m.content_type, m.headers, m.content_hash, m.mac, m.mac_key, m.payload_key, m.max_attempts, m.attempts,
            m.lost_claims, m.on_trial, m.holds_key, m.due_at, m.payload""";

    /** What a person may see of a row. */
    public static final String STORED = """
            m.seq, m.id, m.namespace, m.topic, m.message_key, m.type, m.version, m.tenant, m.dedupe_key,
            m.content_type, m.headers, m.content_hash, m.mac, m.mac_key, m.payload_key, m.max_attempts,
            {attempts} as attempts, {status} as status, {claimed_by} as claimed_by, m.last_error, m.failure,
            m.created_at, {updated_at} as updated_at, m.due_at, {claim_until} as claim_until, m.delivered_at,
            m.died_at, m.payload""";

    static final String HEADERS = "The headers are not a flat JSON object of strings";

    private final Dialect dialect;
    private final SealCheck check;
    private @Nullable ResultSet rows;
    private @Nullable MessageColumns columns;

    /** What a row says, and why it must not be published. */
    private record Content(OutboxMessage message, @Nullable String defect) {}

    /** Begins a batch that is checked with these keys. */
    public MessageRows(Dialect dialect, RowKeys keys) {
        this.dialect = dialect;
        this.check = new SealCheck(keys);
    }

    /** Reads a row that a relay fetched: its next attempt is in flight and not yet counted. */
    public ClaimedMessage fetched(ResultSet row, FetchRequest request) throws SQLException {
        long epoch = request.epochs().getOrDefault(row.getInt(columns(row, true).shard), ClaimedMessage.NO_EPOCH);
        return claimed(row, request.token(), request.relay(), epoch, 1);
    }

    /** Reads a row that a caller with its own loop claimed: the claim has counted the attempt. */
    public ClaimedMessage claimed(ResultSet row, long token, String owner) throws SQLException {
        return claimed(row, token, owner, ClaimedMessage.NO_EPOCH, 0);
    }

    private ClaimedMessage claimed(ResultSet row, long token, String claimedBy, long epoch, int uncounted)
            throws SQLException {
        MessageColumns at = columns(row, true);
        Content content = content(row, at);
        int shard = row.getInt(at.shard);
        return new ClaimedMessage(
                row.getLong(at.seq),
                token,
                claimedBy,
                shard,
                epoch,
                row.getInt(at.attempts) + uncounted,
                row.getBoolean(at.holdsKey),
                row.getInt(at.lostClaims),
                row.getBoolean(at.onTrial),
                content.defect == null ? misplaced(content.message, shard) : content.defect,
                dialect.time(row, "due_at"),
                content.message);
    }

    // Two relays could deliver one key at the same time. Without a key there is no order to lose.
    private static @Nullable String misplaced(OutboxMessage message, int shard) {
        if (message.key().isEmpty()) {
            return null;
        }
        int expected = Shards.of(message);
        return shard == expected
                ? null
                : "The row is in shard %d but its key belongs to shard %d".formatted(shard, expected);
    }

    /** Reads a row of {@link #STORED}. */
    public StoredMessage stored(ResultSet row) throws SQLException {
        StoredMessage.Times times = new StoredMessage.Times(
                Objects.requireNonNull(dialect.time(row, "created_at")),
                Objects.requireNonNull(dialect.time(row, "updated_at")),
                dialect.time(row, "due_at"),
                dialect.time(row, "claim_until"),
                dialect.time(row, "delivered_at"),
                dialect.time(row, "died_at"));
        Content content = content(row, columns(row, false));
        return new StoredMessage(
                row.getLong("seq"),
                StatusCode.status(row.getInt("status")),
                row.getInt("attempts"),
                row.getString("claimed_by"),
                row.getString("last_error"),
                row.getString("failure"),
                times,
                content.defect,
                content.message);
    }

    /** Reads a row of the archive. */
    public ArchivedMessage archived(ResultSet row) throws SQLException {
        ArchivedMessage.Times times = new ArchivedMessage.Times(
                Objects.requireNonNull(dialect.time(row, "created_at")),
                dialect.time(row, "delivered_at"),
                dialect.time(row, "died_at"),
                Objects.requireNonNull(dialect.time(row, "archived_at")));
        Content content = content(row, columns(row, false));
        return new ArchivedMessage(
                row.getLong("seq"),
                ended(row.getInt("ended")),
                row.getObject("replaced_by") == null ? null : dialect.id(row, "replaced_by"),
                row.getInt("attempts"),
                row.getString("last_error"),
                times,
                content.defect,
                content.message);
    }

    private static ArchivedMessage.Ended ended(int code) {
        return switch (code) {
            case 0 -> ArchivedMessage.Ended.DELIVERED;
            case 1 -> ArchivedMessage.Ended.DISCARDED;
            case 2 -> ArchivedMessage.Ended.EDITED;
            default -> throw new IllegalStateException("No end of a message has the number " + code);
        };
    }

    // One bad row must never keep a relay from all the others: what is wrong with it is told, not thrown.
    private Content content(ResultSet row, MessageColumns at) throws SQLException {
        byte[] payload = row.getBytes(at.payload);
        String[] texts = at.texts(row);
        OutboxMessage.Builder fields = fields(row, at, texts).payload(payload);
        boolean readable = addHeaders(fields, texts[MessageColumns.HEADERS]);
        OutboxMessage stored = fields.restore();
        try {
            check.hash(stored, payload, row.getBytes(at.contentHash));
            if (!readable) {
                return new Content(stored, HEADERS);
            }
            String payloadKey = texts[MessageColumns.PAYLOAD_KEY];
            if (check.verifies()) {
                check.signature(stored, payloadKey, payload, row.getBytes(at.mac), row.getString(at.macKey));
            }
            return payloadKey == null
                    ? new Content(stored, null)
                    : new Content(
                            fields.payload(check.payload(stored, payloadKey, payload))
                                    .restore(),
                            null);
        } catch (SealCheck.DefectException e) {
            return new Content(stored, e.defect());
        }
    }

    // A name is looked up once for all rows of a result, not once for each.
    private MessageColumns columns(ResultSet row, boolean claimed) throws SQLException {
        MessageColumns known = columns;
        if (known == null || row != rows) {
            known = new MessageColumns(row, claimed);
            rows = row;
            columns = known;
        }
        return known;
    }

    private OutboxMessage.Builder fields(ResultSet row, MessageColumns at, String[] texts) throws SQLException {
        int limit = row.getInt(at.maxAttempts);
        Integer maxAttempts = row.wasNull() ? null : limit;
        return OutboxMessage.to(texts[MessageColumns.TOPIC], texts[MessageColumns.TYPE])
                .maxAttempts(maxAttempts)
                .id(dialect.id(row, at.id))
                .namespace(texts[MessageColumns.NAMESPACE])
                .key(texts[MessageColumns.KEY])
                .version(row.getInt(at.version))
                .tenant(texts[MessageColumns.TENANT])
                .dedupeKey(texts[MessageColumns.DEDUPE_KEY])
                .contentType(texts[MessageColumns.CONTENT_TYPE]);
    }

    // A message without its headers is another message: it may go to the wrong place, or be taken for another tenant's.
    private static boolean addHeaders(OutboxMessage.Builder message, @Nullable String json) {
        if (json == null) {
            return true;
        }
        try {
            message.headers(HeaderCodec.decode(json));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
