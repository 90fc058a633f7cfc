package dev.postrider.jdbc.row;

import dev.postrider.OutboxMessage;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/**
 * What is written beside a message so that a change of its row does not go unnoticed: the content hash, and with keys a
 * signature and an encrypted payload. Encrypted first, so that whoever checks needs no key to decrypt. Not thread-safe:
 * one for each batch.
 */
public final class Seal {

    /** The columns that {@link #bind} fills, in its order. */
    public static final String COLUMNS = "content_hash, mac, mac_key, payload_key, payload";

    private final ContentHash hash = new ContentHash();
    private final @Nullable MessageMac mac;
    private final @Nullable PayloadCipher cipher;

    /** Begins a batch that is sealed with these keys. */
    public Seal(RowKeys keys) {
        this.mac = keys.mac();
        this.cipher = keys.cipher();
    }

    /** Binds a row so that it stays defective: no hash fits to zeros. */
    public static void bindDefective(PreparedStatement insert, int first, OutboxMessage message) throws SQLException {
        insert.setBytes(first, new byte[ContentHash.BYTES]);
        insert.setNull(first + 1, Types.VARBINARY);
        insert.setNull(first + 2, Types.VARCHAR);
        insert.setNull(first + 3, Types.VARCHAR);
        insert.setBytes(first + 4, message.payload());
    }

    /** Whether there is nothing but a hash to write beside a message. */
    public boolean isPlain() {
        return mac == null && cipher == null;
    }

    /** Binds hash and payload. */
    public void bindPlain(PreparedStatement insert, int first, OutboxMessage message) throws SQLException {
        byte[] payload = message.payload();
        insert.setBytes(first, hash.of(message.dedupeKey().orElse(null), message.type(), payload));
        insert.setBytes(first + 1, payload);
    }

    /** Binds {@link #COLUMNS}, the first of them as parameter {@code first}. */
    public void bind(PreparedStatement insert, int first, OutboxMessage message) throws SQLException {
        String payloadKey = cipher == null ? null : cipher.ring().currentId();
        byte[] payload = cipher == null ? message.payload() : cipher.encrypt(message, message.payload());
        insert.setBytes(first, hash.of(message.dedupeKey().orElse(null), message.type(), payload));
        if (mac == null) {
            insert.setNull(first + 1, Types.VARBINARY);
            insert.setNull(first + 2, Types.VARCHAR);
        } else {
            insert.setBytes(first + 1, mac.of(mac.ring().current(), message, payloadKey, payload));
            insert.setString(first + 2, mac.ring().currentId());
        }
        RowFields.bindText(insert, first + 3, payloadKey);
        insert.setBytes(first + 4, payload);
    }
}
