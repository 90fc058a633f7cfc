package dev.postrider.jdbc.operator;

import dev.postrider.database.Session;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Removes bulk actions that have ended or were never started, their rows first. */
final class OldBulks {

    private static final String LOCK = """
            select id
              from {bulk}
             where created_at <= (select {later}) and updated_at <= (select {later}) and status in (0, 3, 4)
             order by created_at
             limit 1
               for update skip locked
            """;

    private static final String ROWS = "select seq from {bulk_row} where bulk_id = ? order by seq limit ?";
    private static final String REMOVE_ROWS = "delete from {bulk_row} where bulk_id = ? and seq in (?)";
    private static final String REMOVE = "delete from {bulk} where id = ?";

    private OldBulks() {}

    // The lock on the action guards its rows: nobody else removes them at the same time.
    static int remove(Session session, long age, int limit) throws SQLException {
        Optional<UUID> old = lock(session, age);
        if (old.isEmpty()) {
            return 0;
        }
        Object id = session.dialect().id(old.get());
        List<Long> seqs = rows(session, id, limit);
        int removed = session.updateAll(REMOVE_ROWS, List.of(id), seqs);
        return seqs.size() < limit ? removed + session.update(REMOVE, id) : removed;
    }

    private static Optional<UUID> lock(Session session, long age) throws SQLException {
        return session.first(LOCK, row -> session.dialect().id(row, "id"), -age, -age);
    }

    private static List<Long> rows(Session session, Object id, int limit) throws SQLException {
        return session.list(ROWS, rows -> rows.getLong(1), id, limit);
    }
}
