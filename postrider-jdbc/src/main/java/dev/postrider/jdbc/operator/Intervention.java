package dev.postrider.jdbc.operator;

import dev.postrider.MessageStatus;
import dev.postrider.admin.ArchivedMessage.Ended;
import dev.postrider.admin.Decision;
import dev.postrider.database.Session;
import dev.postrider.jdbc.OutboxDialect;
import dev.postrider.jdbc.row.KeyName;
import dev.postrider.jdbc.row.StatusCode;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A person's action on messages. Their rows are locked in the state they must be in; whatever is in another one by then
 * is left alone. Each message that is changed leaves an entry in the audit trail in the same transaction.
 */
enum Intervention {
    REQUEUE(MessageStatus.DEAD) {
        @Override
        void change(Session session, List<Row> rows) throws SQLException {
            session.updateAll("""
                    update {message} {by_seq}
                       set status = 0, attempts = 0, lost_claims = 0, on_trial = false, due_at = {now},
                           died_at = null, updated_at = {now}
                     where seq in (?)
                    """, List.of(), seqs(rows));
        }
    },

    /** The key is not held again: what came after the message has been delivered too. */
    REPLAY(MessageStatus.DELIVERED) {
        @Override
        void change(Session session, List<Row> rows) throws SQLException {
            session.updateAll("""
                    update {message} {by_seq}
                       set status = 0, attempts = 0, lost_claims = 0, on_trial = false, due_at = {now},
                           delivered_at = {not_delivered}, holds_key = false, updated_at = {now}
                     where seq in (?)
                    """, List.of(), seqs(rows));
        }
    },

    DISCARD(MessageStatus.DEAD) {
        @Override
        void change(Session session, List<Row> rows) throws SQLException {
            List<Long> seqs = seqs(rows);
            Archive.add(session, Ended.DISCARDED, null, seqs);
            session.updateAll(REMOVE, List.of(), seqs);
            Set<KeyName> freed = new LinkedHashSet<>();
            rows.stream().map(Row::holds).forEach(key -> {
                if (key != null) {
                    freed.add(key);
                }
            });
            if (!freed.isEmpty()) {
                OutboxDialect.of(session.dialect()).heldKeys().promote(session, freed);
            }
        }
    };

    static final String REMOVE = "delete from {message} where seq in (?)";

    static final String LOCK = """
            select seq, namespace, topic, message_key, holds_key
              from {message}
             where status = ? and id in (?)
               for update
            """;

    private final MessageStatus guard;

    /** A locked row, and the key it holds. */
    record Row(long seq, @Nullable KeyName holds) {}

    Intervention(MessageStatus guard) {
        this.guard = guard;
    }

    abstract void change(Session session, List<Row> rows) throws SQLException;

    /**
     * Does it to those of the messages that are in the right state.
     *
     * @param ids as the dialect binds them
     * @param bulkId the action on many that this is a part of; null if there is none
     * @return the sequences of the messages that were changed
     */
    List<Long> apply(Session session, List<Object> ids, Decision decision, @Nullable UUID bulkId) throws SQLException {
        List<Row> rows = lock(session, ids);
        List<Long> seqs = seqs(rows);
        if (!rows.isEmpty()) {
            AuditTrail.add(session, name(), decision, bulkId, seqs);
            change(session, rows);
        }
        return seqs;
    }

    private List<Row> lock(Session session, List<Object> ids) throws SQLException {
        return session.listAll(LOCK, List.of(StatusCode.of(guard)), ids, row -> {
            KeyName key = new KeyName(row.getString("namespace"), row.getString("topic"), row.getString("message_key"));
            return new Row(row.getLong("seq"), row.getBoolean("holds_key") ? key : null);
        });
    }

    private static List<Long> seqs(List<Row> rows) {
        return rows.stream().map(Row::seq).toList();
    }
}
