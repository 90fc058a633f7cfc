package dev.postrider.jdbc.operator;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxException;
import dev.postrider.admin.ArchivedMessage;
import dev.postrider.admin.ArchivedMessage.Ended;
import dev.postrider.admin.Decision;
import dev.postrider.admin.MessageStateException;
import dev.postrider.database.Session;
import dev.postrider.database.SqlErrors;
import dev.postrider.jdbc.row.MessageRows;
import dev.postrider.jdbc.row.RowKeys;
import dev.postrider.jdbc.row.StatusCode;
import dev.postrider.spi.Shards;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where messages go that have left the outbox, as they were. */
final class Archive {

    private static final String COLUMNS = """
            seq, id, namespace, topic, message_key, type, version, tenant, dedupe_key, content_type, headers,
            content_hash, mac, mac_key, payload_key, max_attempts, attempts, created_at, delivered_at, died_at,
            last_error, payload""";

    static final String ADD = "insert into {archive} (ended, replaced_by, " + COLUMNS + ")\nselect ?, ?, "
            + COLUMNS.replace("delivered_at", "{delivered_at}") + """

              from {message} {by_seq}
             where seq in (?)
             order by seq
            """;

    private static final String READ =
            "select entry, ended, replaced_by, archived_at, " + COLUMNS + " from {archive}\n";

    // Two statements in one, because not every database finds both indexes in an "or".
    private static final String FIND =
            READ + " where id = ?\n union all\n" + READ + " where replaced_by = ?\n order by entry desc limit 100";

    private static final String LOCK = READ + " where id = ? and ended = 1 order by entry desc limit 1 for update";

    private static final String BRING_BACK = """
            insert into {message} (shard, id, namespace, topic, message_key, type, version, tenant, dedupe_key,
                                   content_type, headers, content_hash, mac, mac_key, payload_key, max_attempts,
                                   last_error, payload)
            select ?, id, namespace, topic, message_key, type, version, tenant, dedupe_key, content_type, headers,
                   content_hash, mac, mac_key, payload_key, max_attempts, last_error, payload
              from {archive}
             where entry = ?
            """;

    private static final String REMOVE = "delete from {archive} where entry = ?";

    private static final String STANDS = "select seq, status from {message} where id = ?";

    private final Session session;
    private final MessageRows reader;

    /** Where a message with the id is in the outbox. */
    private record Place(long seq, MessageStatus status) {}

    Archive(Session session, RowKeys keys) {
        this.session = session;
        this.reader = new MessageRows(session.dialect(), keys);
    }

    /** Copies rows of the outbox, which the caller has locked and will remove or change. */
    static void add(Session session, Ended how, @Nullable UUID replacedBy, List<Long> seqs) throws SQLException {
        Object replacement = replacedBy == null ? null : session.dialect().id(replacedBy);
        session.updateAll(ADD, Arrays.asList(code(how), replacement), seqs);
    }

    List<ArchivedMessage> find(UUID id) throws SQLException {
        return session.list(
                FIND,
                row -> reader.archived(row),
                session.dialect().id(id),
                session.dialect().id(id));
    }

    /** Moves a discarded message back into the outbox, as its last one. */
    void restore(UUID id, Decision decision) throws SQLException {
        Place taken = place(id);
        if (taken != null) {
            throw new MessageStateException("restore", id, taken.status());
        }
        long entry;
        ArchivedMessage archived;
        try (PreparedStatement lock = session.prepare(LOCK)) {
            Session.bind(lock, session.dialect().id(id));
            try (ResultSet row = lock.executeQuery()) {
                if (!row.next()) {
                    throw new MessageStateException("restore", id, null);
                }
                entry = row.getLong("entry");
                archived = reader.archived(row);
            }
        }
        bringBack(id, Shards.of(archived.message()), entry);
        session.update(REMOVE, entry);
        Place place = place(id);
        if (place != null) {
            AuditTrail.add(session, "RESTORE", decision, null, List.of(place.seq()));
        }
    }

    private void bringBack(UUID id, int shard, long entry) throws SQLException {
        try {
            session.update(BRING_BACK, shard, entry);
        } catch (SQLException e) {
            if (SqlErrors.duplicate(e)) {
                throw new OutboxException(
                        "Could not restore message %s: its id or its dedupe key has been enqueued again".formatted(id),
                        e);
            }
            throw e;
        }
    }

    private @Nullable Place place(UUID id) throws SQLException {
        return session.first(
                        STANDS,
                        row -> new Place(row.getLong("seq"), StatusCode.status(row.getInt("status"))),
                        session.dialect().id(id))
                .orElse(null);
    }

    /** The numbers are part of the table's contract. */
    static short code(Ended how) {
        return switch (how) {
            case DELIVERED -> 0;
            case DISCARDED -> 1;
            case EDITED -> 2;
        };
    }
}
