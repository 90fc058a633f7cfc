package dev.postrider.jdbc.operator;

import dev.postrider.database.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes old rows of the tables around the messages, oldest first; rows that are locked are left for the next time.
 */
enum OldRows {
    ATTEMPTS("""
            select seq, token
              from {attempt}
             where ended_at <= (select {later})
             order by ended_at
             limit ?
               for update skip locked
            """, "delete from {attempt} where seq = ? and token = ?"),
    ARCHIVE("""
            select entry
              from {archive}
             where archived_at <= (select {later})
             order by archived_at
             limit ?
               for update skip locked
            """, "delete from {archive} where entry = ?"),
    AUDIT("""
            select entry
              from {audit}
             where created_at <= (select {later})
             order by created_at
             limit ?
               for update skip locked
            """, "delete from {audit} where entry = ?");

    final String lock;
    private final String remove;

    OldRows(String lock, String remove) {
        this.lock = lock;
        this.remove = remove;
    }

    int remove(Session session, long age, int limit) throws SQLException {
        List<Object[]> old = new ArrayList<>();
        try (PreparedStatement statement = session.prepare(lock)) {
            Session.bind(statement, -age, limit);
            try (ResultSet rows = statement.executeQuery()) {
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    old.add(
                            columns == 1
                                    ? new Object[] {rows.getLong(1)}
                                    : new Object[] {rows.getLong(1), rows.getLong(2)});
                }
            }
        }
        if (!old.isEmpty()) {
            try (PreparedStatement statement = session.prepare(remove)) {
                for (Object[] key : old) {
                    Session.bind(statement, key);
                    statement.addBatch();
                }
                statement.executeBatch();
            }
        }
        return old.size();
    }
}
