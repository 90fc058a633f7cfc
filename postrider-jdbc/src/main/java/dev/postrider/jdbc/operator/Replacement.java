package dev.postrider.jdbc.operator;

import dev.postrider.MessageLimits;
import dev.postrider.MessageStatus;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.ArchivedMessage.Ended;
import dev.postrider.admin.Decision;
import dev.postrider.admin.MessageEdit;
import dev.postrider.admin.MessageStateException;
import dev.postrider.admin.StoredMessage;
import dev.postrider.database.HeaderCodec;
import dev.postrider.database.Session;
import dev.postrider.jdbc.row.MessageRows;
import dev.postrider.jdbc.row.RowFields;
import dev.postrider.jdbc.row.RowKeys;
import dev.postrider.jdbc.row.Seal;
import dev.postrider.spi.Shards;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * Puts a corrected message in the place of a dead one.
 *
 * @param reading the keys that rows are checked and decrypted with
 * @param writing the keys that rows are signed and encrypted with
 */
record Replacement(RowKeys reading, RowKeys writing, MessageLimits limits) {

    private static final String ACTION = "EDIT";

    private static final String LOCK = "select " + MessageRows.STORED + " from {message} m where m.id = ? for update";

    private static final String REPLACE = """
            update {message} {by_seq}
               set id = ?, shard = ?, type = ?, version = ?, content_type = ?, headers = ?, {sealed},
                   status = 0, attempts = 0, lost_claims = 0, on_trial = false, {no_claim},
                   due_at = {now}, died_at = null, last_error = null, failure = null, updated_at = {now}
             where seq = ?
            """.replace("{sealed}", Seal.COLUMNS.replace(",", " = ?,") + " = ?");

    /**
     * A dead message whose row is locked.
     *
     * @param sealing the keys that its replacement is written with
     */
    private record Locked(StoredMessage stored, RowKeys sealing) {}

    UUID run(Session session, UUID id, MessageEdit edit, Decision decision) throws SQLException {
        Locked original = lock(session, id);
        OutboxMessage edited = edit.applyTo(original.stored.message());
        limits.check(edited);
        List<Long> seq = List.of(original.stored.seq());
        AuditTrail.add(session, ACTION, decision, null, seq);
        Archive.add(session, Ended.EDITED, edited.id(), seq);
        replace(session, original, edited);
        return edited.id();
    }

    private Locked lock(Session session, UUID id) throws SQLException {
        try (PreparedStatement lock = session.prepare(LOCK)) {
            Session.bind(lock, session.dialect().id(id));
            try (ResultSet row = lock.executeQuery()) {
                if (!row.next()) {
                    throw new MessageStateException("edit", id, null);
                }
                StoredMessage message = new MessageRows(session.dialect(), reading).stored(row);
                if (message.status() != MessageStatus.DEAD) {
                    throw new MessageStateException("edit", id, message.status());
                }
                requireSound(message);
                boolean signed = row.getString("mac_key") != null;
                requireKey(id, "signed", signed, writing.signing() != null);
                requireKey(id, "encrypted", row.getString("payload_key") != null, writing.encryption() != null);
                // A row without a signature may be anybody's; the edit must not make it a trusted one.
                return new Locked(message, signed ? writing : writing.withoutSigning());
            }
        }
    }

    // What stays of a row that is not what was enqueued would get a sound hash and a good signature.
    private static void requireSound(StoredMessage message) {
        if (message.defect() != null) {
            throw new OutboxException("Could not edit message %s, which has a defect: %s"
                    .formatted(message.message().id(), message.defect()));
        }
    }

    private static void requireKey(UUID id, String how, boolean needed, boolean there) {
        if (needed && !there) {
            throw new OutboxException(
                    "Could not edit message %s, which is %s: there is no key to do so again".formatted(id, how));
        }
    }

    private static void replace(Session session, Locked original, OutboxMessage edited) throws SQLException {
        try (PreparedStatement update = session.prepare(REPLACE)) {
            update.setObject(1, session.dialect().id(edited.id()));
            update.setInt(2, Shards.of(edited));
            update.setString(3, edited.type());
            update.setInt(4, edited.version());
            update.setString(5, edited.contentType());
            RowFields.bindText(update, 6, HeaderCodec.encode(edited.headers()));
            new Seal(original.sealing).bind(update, 7, edited);
            update.setLong(12, original.stored.seq());
            update.executeUpdate();
        }
    }
}
