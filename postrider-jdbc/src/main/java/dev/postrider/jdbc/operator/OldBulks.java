package dev.postrider.jdbc.operator;

import dev.postrider.database.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
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
        try (PreparedStatement statement = session.prepare(LOCK)) {
            Session.bind(statement, -age, -age);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(session.dialect().id(row, "id")) : Optional.empty();
            }
        }
    }

    private static List<Long> rows(Session session, Object id, int limit) throws SQLException {
        List<Long> seqs = new ArrayList<>();
        try (PreparedStatement statement = session.prepare(ROWS)) {
            Session.bind(statement, id, limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    seqs.add(rows.getLong(1));
                }
            }
        }
        return seqs;
    }
}
