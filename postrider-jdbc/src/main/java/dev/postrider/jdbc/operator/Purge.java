package dev.postrider.jdbc.operator;

import dev.postrider.admin.ArchivedMessage.Ended;
import dev.postrider.admin.Decision;
import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import dev.postrider.database.Transactions;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A walk along the table that removes old delivered rows, oldest first. It ends at the first row that is too young
 * itself: it never reads the whole table to find that there is nothing to do.
 */
final class Purge {

    private static final int CHUNK = 1_000;

    // In rows: how small the steps are must not decide whether something is forgotten.
    private static final int MAX_BEHIND = 10 * CHUNK;

    private static final long NOWHERE = -1;

    private static final String LOOK = """
            select m.seq,
                   case when m.status = 2 and m.delivered_at <= {later} then 1 else 0 end as old,
                   case when m.created_at > {later} then 1 else 0 end as young,
                   case when m.status = 3 or (m.status = 0 and m.due_at is not null) then 1 else 0 end as stays
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
    private final boolean archive;
    private final Decision decision;
    private final PurgeTrail trail;
    private long position;
    private long left = NOWHERE;
    private int behind;
    private boolean full;
    private boolean ended;

    /** What was seen of the table in one look, and how much of it was removed. */
    private record Stretch(List<Long> old, int removed, int rows, long last, boolean moving, boolean ended) {}

    Purge(Transactions transactions, Duration age, boolean archive, long start, Decision decision, PurgeTrail trail) {
        this.transactions = transactions;
        this.decision = decision;
        this.trail = trail;
        this.age = Micros.of(age);
        this.archive = archive;
        this.position = start;
    }

    int run(int limit) {
        int removed = 0;
        while (removed < limit && !ended) {
            removed += step(limit - removed);
        }
        return removed;
    }

    /** Looks at a chunk of the table and removes up to {@code limit} rows of it in one transaction. */
    int step(int limit) {
        Stretch seen = transactions.transacted("purge messages", session -> remove(session, look(session, limit)));
        trail.committed(seen.removed);
        behind += seen.rows;
        if (behind > MAX_BEHIND) {
            left = NOWHERE;
        }
        if (left == NOWHERE && (seen.moving || seen.removed < seen.old.size())) {
            left = position;
            behind = seen.rows;
        }
        position = seen.last;
        full = seen.old.size() == limit;
        ended = seen.ended;
        return seen.removed;
    }

    boolean ended() {
        return ended;
    }

    /**
     * Returns where the next walk may start: behind dead and waiting rows, which may stay for long, but not far behind
     * those that were just on their way to be delivered.
     */
    long next() {
        return left == NOWHERE ? position : left;
    }

    private Stretch remove(Session session, Stretch seen) throws SQLException {
        if (seen.old.isEmpty()) {
            trail.removed(session, decision, 0);
            return seen;
        }
        List<Long> locked = session.listAll(LOCK, List.of(), seen.old, rows -> rows.getLong(1));
        if (archive) {
            Archive.add(session, Ended.DELIVERED, null, locked);
        }
        int removed = session.updateAll(Intervention.REMOVE, List.of(), locked);
        trail.removed(session, decision, removed);
        return new Stretch(seen.old, removed, seen.rows, seen.last, seen.moving, seen.ended);
    }

    private Stretch look(Session session, int limit) throws SQLException {
        List<Long> old = new ArrayList<>();
        int rowsAsked = full ? Math.min(limit, CHUNK) : CHUNK;
        try (PreparedStatement look = session.prepare(LOOK)) {
            Session.bind(look, -age, -age, position, rowsAsked);
            try (ResultSet rows = look.executeQuery()) {
                int seen = 0;
                long last = position;
                boolean young = false;
                boolean moving = false;
                while (old.size() < limit && !young && rows.next()) {
                    seen++;
                    young = rows.getInt("young") == 1;
                    boolean isOld = rows.getInt("old") == 1;
                    moving |= !isOld && rows.getInt("stays") == 0;
                    last = young ? last : rows.getLong("seq");
                    if (isOld) {
                        old.add(rows.getLong("seq"));
                    }
                }
                return new Stretch(old, 0, seen, last, moving, young || (seen < rowsAsked && old.size() < limit));
            }
        }
    }
}
