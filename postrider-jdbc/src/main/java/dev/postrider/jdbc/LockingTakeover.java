package dev.postrider.jdbc;

import dev.postrider.database.Session;
import dev.postrider.database.Transactions;
import dev.postrider.spi.Acquired;
import dev.postrider.spi.OwnedShard;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Takes shards in a short transaction. */
final class LockingTakeover implements ShardTakeover {

    private static final String LOCK_DEAD =
            "select id from {relay} where until <= {now} and id <> ? order by id for update";
    private static final String BURY = "delete from {relay} where id in (?)";
    private static final String ALIVE = "select id from {relay} where id = ? and until > {now}";
    private static final String RELAYS = "select id from {relay}";
    private static final String LOCK_SHARDS =
            "select shard, owner, epoch, low_seq from {shard} where shard in (?) order by shard for update";
    private static final String TAKE = "update {shard} set owner = ?, epoch = epoch + 1 where shard in (?)";

    // Rows that somebody has locked are left out: a take-over must not wait for them, and they are only not counted.
    private static final String LOCK_LOST = """
            select m.seq, m.shard, m.attempts
              from {message} m {by_seq}
             where m.status = 0
               and (m.due_at is null or m.due_at <= {now})
               and m.seq in (?)
               for update skip locked
            """;

    private static final String COUNT = "update {message} {by_seq} set lost_claims = lost_claims + 1 where seq in (?)";

    private static final String LISTED = "select c.relay, c.seqs from {claim} c where c.relay in (?)";

    private static final String FORGET = """
            delete from {claim}
             where relay not in (select r.id from {relay} r)
               and relay not in (select s.owner from {shard} s where s.owner is not null)
            """;

    @Override
    public Acquired acquire(Transactions transactions, String relay, Set<Integer> shards) {
        return transactions.transacted("acquire shards", session -> {
            List<String> dead = strings(session, LOCK_DEAD, relay);
            if (strings(session, ALIVE, relay).isEmpty()) {
                return Acquired.NOTHING;
            }
            session.updateAll(BURY, List.of(), dead);
            Map<Integer, String> lastOwners = new HashMap<>();
            List<OwnedShard> free = lockFree(session, shards, new HashSet<>(strings(session, RELAYS)), lastOwners);
            if (free.isEmpty()) {
                return Acquired.NOTHING;
            }
            session.updateAll(
                    TAKE, List.of(relay), free.stream().map(OwnedShard::shard).toList());
            int lost = countLost(session, lastOwners);
            session.update(FORGET);
            return new Acquired(free, lost);
        });
    }

    private static List<String> strings(Session session, String sql, Object... values) throws SQLException {
        return session.list(sql, rows -> rows.getString(1), values);
    }

    private static List<OwnedShard> lockFree(
            Session session, Set<Integer> shards, Set<String> relays, Map<Integer, String> lastOwners)
            throws SQLException {
        List<OwnedShard> free = new ArrayList<>();
        try (PreparedStatement statement = session.prepareList(LOCK_SHARDS, List.of(), shards);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                String owner = rows.getString("owner");
                if (owner == null || !relays.contains(owner)) {
                    int shard = rows.getInt("shard");
                    free.add(new OwnedShard(shard, rows.getLong("epoch") + 1, rows.getLong("low_seq")));
                    if (owner != null) {
                        lastOwners.put(shard, owner);
                    }
                }
            }
        }
        return free;
    }

    private static int countLost(Session session, Map<Integer, String> lastOwners) throws SQLException {
        Set<Long> counted = new HashSet<>();
        Set<String> owners = new HashSet<>(lastOwners.values());
        if (!owners.isEmpty()) {
            try (PreparedStatement statement = session.prepareList(LISTED, List.of(), owners);
                    ResultSet entries = statement.executeQuery()) {
                while (entries.next()) {
                    String owner = entries.getString("relay");
                    Map<Long, Integer> attempts = InFlightJournal.attempts(entries.getString("seqs"));
                    // A fetch without an answer leaves an entry of its own, which lists the same messages.
                    List<Long> lost = lost(session, attempts, owner, lastOwners);
                    lost.removeAll(counted);
                    session.updateAll(COUNT, List.of(), lost);
                    counted.addAll(lost);
                }
            }
        }
        return counted.size();
    }

    private static List<Long> lost(
            Session session, Map<Long, Integer> attempts, String owner, Map<Integer, String> lastOwners)
            throws SQLException {
        List<Long> lost = new ArrayList<>();
        if (attempts.isEmpty()) {
            return lost;
        }
        try (PreparedStatement statement = session.prepareList(LOCK_LOST, List.of(), attempts.keySet());
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                long seq = row.getLong("seq");
                Integer listed = attempts.get(seq);
                if (owner.equals(lastOwners.get(row.getInt("shard")))
                        && listed != null
                        && listed == row.getInt("attempts")) {
                    lost.add(seq);
                }
            }
        }
        return lost;
    }
}
