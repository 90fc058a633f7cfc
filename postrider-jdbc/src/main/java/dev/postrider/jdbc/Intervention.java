package dev.postrider.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A person's action on messages, guarded by the state they must be in; returns how many were in it. */
@FunctionalInterface
interface Intervention {

    String REQUEUE = """
            update {message}
               set status = 0, attempts = 0, lost_claims = 0, on_trial = false, due_at = {now}, died_at = null,
                   updated_at = {now}
             where status = 3 and id in (?)
            """;

    String REPLAY = """
            update {message}
               set status = 0, attempts = 0, lost_claims = 0, on_trial = false, due_at = {now}, delivered_at = null,
                   holds_key = false, updated_at = {now}
             where status = 2 and id in (?)
            """;

    String LOCK_DEAD = """
            select seq, namespace, topic, message_key, holds_key
              from {message}
             where status = 3 and id in (?)
               for update
            """;

    String REMOVE = "delete from {message} where seq in (?)";

    int apply(Session session, List<Object> ids) throws SQLException;

    static int requeue(Session session, List<Object> ids) throws SQLException {
        return session.updateAll(REQUEUE, List.of(), ids);
    }

    static int replay(Session session, List<Object> ids) throws SQLException {
        return session.updateAll(REPLAY, List.of(), ids);
    }

    static int discard(Session session, List<Object> ids) throws SQLException {
        List<Long> seqs = new ArrayList<>();
        Set<KeyName> freed = new LinkedHashSet<>();
        try (PreparedStatement lock = session.prepareList(LOCK_DEAD, List.of(), ids);
                ResultSet rows = lock.executeQuery()) {
            while (rows.next()) {
                seqs.add(rows.getLong("seq"));
                if (rows.getBoolean("holds_key")) {
                    freed.add(new KeyName(
                            rows.getString("namespace"), rows.getString("topic"), rows.getString("message_key")));
                }
            }
        }
        int removed = session.updateAll(REMOVE, List.of(), seqs);
        if (!freed.isEmpty()) {
            session.dialect().heldKeys().promote(session, freed);
        }
        return removed;
    }
}
