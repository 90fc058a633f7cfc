package dev.postrider.jdbc;

import dev.postrider.database.Session;
import dev.postrider.jdbc.row.KeyName;
import dev.postrider.spi.Unblocked;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Finds holders by the generated column that is null for all other messages. */
final class LockingHeldKeys implements HeldKeys {

    static final String FIRST = """
            select m.seq, case when m.status = 0 and m.due_at = {infinity} then 1 else 0 end as waits
              from {message} m {by_holder}
             where m.held_key = ? and m.topic = ? and m.namespace = ?
             order by m.seq
             limit ?
            """;

    static final String HOLDERS = """
            select min(m.seq)
              from {message} m {by_holder}
             where m.held_key is not null
             group by m.held_key, m.topic, m.namespace
             limit ?
            """;

    // A message is stranded if no earlier message holds its key.
    static final String BEHIND = """
            select m.seq, m.shard,
                   case when exists (select 1
                                       from {message} h {by_holder}
                                      where h.held_key = m.message_key
                                        and h.topic = m.topic
                                        and h.namespace = m.namespace
                                        and h.seq < m.seq)
                        then 0 else 1 end as stranded
              from {message} m {by_due}
             where m.due_at = {infinity}
               and m.seq > ?
             order by m.due_at, m.seq
             limit ?
            """;

    // A row that is locked is left to the next call of unblock.
    static final String LOCK = """
            select m.seq
              from {message} m {by_seq}
             where m.status = 0
               and m.due_at = {infinity}
               and m.seq in (?)
               for update skip locked
            """;

    static final String CALL = """
            update {message} {by_seq}
               set due_at = {now}, updated_at = {now}
             where status = 0 and due_at = {infinity} and seq in (?)
            """;

    @Override
    public void promote(Session session, Collection<KeyName> keys) throws SQLException {
        for (KeyName key : keys) {
            call(session, waiting(session, key));
        }
    }

    /** Returns the first messages that hold the key, up to the first that does not wait for one ahead. */
    private static List<Long> waiting(Session session, KeyName key) throws SQLException {
        List<Long> waiting = new ArrayList<>();
        try (PreparedStatement statement = session.prepare(FIRST)) {
            Session.bind(statement, key.key(), key.topic(), key.namespace(), PROMOTED_AT_ONCE);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next() && rows.getInt("waits") == 1) {
                    waiting.add(rows.getLong("seq"));
                }
            }
        }
        return waiting;
    }

    @Override
    public Unblocked unblock(Session session, Set<Integer> shards, long after) throws SQLException {
        List<Long> stranded = new ArrayList<>();
        int lookedAt = 0;
        long last = 0;
        try (PreparedStatement statement = session.prepare(BEHIND)) {
            Session.bind(statement, after, UNBLOCKED_AT_ONCE);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    lookedAt++;
                    last = rows.getLong("seq");
                    if (rows.getInt("stranded") == 1 && shards.contains(rows.getInt("shard"))) {
                        stranded.add(last);
                    }
                }
            }
        }
        int freed = call(session, stranded);
        return new Unblocked(freed, lookedAt == UNBLOCKED_AT_ONCE ? last : 0);
    }

    private static int call(Session session, List<Long> seqs) throws SQLException {
        if (seqs.isEmpty()) {
            return 0;
        }
        List<Long> unlocked = session.listAll(LOCK, List.of(), seqs, rows -> rows.getLong("seq"));
        return session.updateAll(CALL, List.of(), unlocked);
    }

    @Override
    public List<Long> holders(Session session, int limit) throws SQLException {
        return session.list(HOLDERS, rows -> rows.getLong(1), limit);
    }
}
