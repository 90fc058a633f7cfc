package dev.postrider.jdbc;

import dev.postrider.database.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Finds holders by the generated column that is null for all other messages. */
final class LockingHeldKeys implements HeldKeys {

    private static final int CHUNK = 512;

    static final String FIRST = """
            select m.seq
              from {message} m {by_holder}
             where m.held_key = ? and m.topic = ? and m.namespace = ?
             order by m.seq
             limit 1
            """;

    static final String HOLDERS = """
            select min(m.seq)
              from {message} m {by_holder}
             where m.held_key is not null
             group by m.held_key, m.topic, m.namespace
             limit ?
            """;

    private static final String STRANDED =
            "select seq, shard from {message} {by_seq} where status = 0 and due_at = {infinity} and seq in (?)";

    static final String CALL = """
            update {message} {by_seq}
               set due_at = {now}, updated_at = {now}
             where status = 0 and due_at = {infinity} and seq in (?)
            """;

    @Override
    public void promote(Session session, Collection<KeyName> keys) throws SQLException {
        List<Long> firsts = new ArrayList<>();
        try (PreparedStatement statement = session.prepare(FIRST)) {
            for (KeyName key : keys) {
                Session.bind(statement, key.key(), key.topic(), key.namespace());
                try (ResultSet row = statement.executeQuery()) {
                    if (row.next()) {
                        firsts.add(row.getLong(1));
                    }
                }
            }
        }
        session.updateAll(CALL, List.of(), firsts);
    }

    @Override
    public int unblock(Session session, Set<Integer> shards) throws SQLException {
        int called = 0;
        List<Long> holders = holders(session, Integer.MAX_VALUE);
        for (int i = 0; i < holders.size(); i += CHUNK) {
            List<Long> chunk = holders.subList(i, Math.min(i + CHUNK, holders.size()));
            called += session.updateAll(CALL, List.of(), stranded(session, chunk, shards));
        }
        return called;
    }

    private static List<Long> stranded(Session session, List<Long> holders, Set<Integer> shards) throws SQLException {
        List<Long> stranded = new ArrayList<>();
        try (PreparedStatement statement = session.prepareList(STRANDED, List.of(), holders);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                if (shards.contains(rows.getInt("shard"))) {
                    stranded.add(rows.getLong("seq"));
                }
            }
        }
        return stranded;
    }

    @Override
    public List<Long> holders(Session session, int limit) throws SQLException {
        List<Long> holders = new ArrayList<>();
        try (PreparedStatement statement = session.prepare(HOLDERS)) {
            Session.bind(statement, limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    holders.add(rows.getLong(1));
                }
            }
        }
        return holders;
    }
}
