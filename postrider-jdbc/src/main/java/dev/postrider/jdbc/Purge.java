package dev.postrider.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes old delivered rows, oldest first. The walk ends at the first row that is too young itself: it never reads the
 * whole table to find that there is nothing to do.
 */
final class Purge {

    private static final int CHUNK = 1_000;

    private static final String LOOK = """
            select m.seq,
                   case when m.status = 2 and m.delivered_at <= {later} then 1 else 0 end as old,
                   case when m.created_at > {later} then 1 else 0 end as young
              from {message} m {by_seq}
             where m.seq > ?
             order by m.seq
             limit ?
            """;

    private static final String LOCK = """
            select m.seq
              from {message} m {by_seq}
             where m.status = 2 and m.seq in (?)
               for update skip locked
            """;

    private final Transactions transactions;
    private final long age;
    private long position;
    private boolean ended;

    Purge(Transactions transactions, Duration age) {
        this.transactions = transactions;
        this.age = Micros.of(age);
    }

    int run(int limit) {
        int removed = 0;
        while (removed < limit && !ended) {
            int left = limit - removed;
            removed += transactions.transacted("purge messages", session -> step(session, left));
        }
        return removed;
    }

    private int step(Session session, int limit) throws SQLException {
        List<Long> old = look(session, limit);
        if (old.isEmpty()) {
            return 0;
        }
        List<Long> locked = new ArrayList<>();
        try (PreparedStatement lock = session.prepareList(LOCK, List.of(), old);
                ResultSet rows = lock.executeQuery()) {
            while (rows.next()) {
                locked.add(rows.getLong(1));
            }
        }
        return session.updateAll(Intervention.REMOVE, List.of(), locked);
    }

    private List<Long> look(Session session, int limit) throws SQLException {
        List<Long> old = new ArrayList<>();
        try (PreparedStatement look = session.prepare(LOOK)) {
            Session.bind(look, -age, -age, position, CHUNK);
            try (ResultSet rows = look.executeQuery()) {
                int seen = 0;
                boolean young = false;
                while (old.size() < limit && !young && rows.next()) {
                    seen++;
                    position = rows.getLong("seq");
                    young = rows.getInt("young") == 1;
                    if (rows.getInt("old") == 1) {
                        old.add(position);
                    }
                }
                ended = young || (seen < CHUNK && old.size() < limit);
            }
        }
        return old;
    }
}
