package dev.postrider.jdbc;

import dev.postrider.database.Session;
import dev.postrider.database.Transactions;
import dev.postrider.spi.OwnedShard;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Takes shards in a short transaction. */
final class LockingAcquisition implements Acquisition {

    private static final String LOCK_DEAD = "select id from {relay} where until <= {now} order by id for update";
    private static final String RELAYS = "select id, case when until > {now} then 1 else 0 end as alive from {relay}";
    private static final String LOCK_SHARDS =
            "select shard, owner, epoch, low_seq from {shard} where shard in (?) order by shard for update";
    private static final String TAKE = "update {shard} set owner = ?, epoch = epoch + 1 where shard in (?)";

    @Override
    public List<OwnedShard> acquire(Transactions transactions, String relay, Set<Integer> shards) {
        return transactions.transacted("acquire shards", session -> {
            Set<String> dead = dead(session);
            Set<String> others = new HashSet<>();
            if (!readRelays(session, relay, others)) {
                return List.of();
            }
            others.removeAll(dead);
            List<OwnedShard> free = lockFree(session, shards, others);
            if (!free.isEmpty()) {
                List<Integer> numbers = free.stream().map(OwnedShard::shard).toList();
                try (PreparedStatement take = session.prepareList(TAKE, List.of(relay), numbers)) {
                    take.executeUpdate();
                }
            }
            return free;
        });
    }

    private static Set<String> dead(Session session) throws SQLException {
        Set<String> dead = new HashSet<>();
        try (PreparedStatement statement = session.prepare(LOCK_DEAD);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                dead.add(rows.getString(1));
            }
        }
        return dead;
    }

    private static boolean readRelays(Session session, String relay, Set<String> known) throws SQLException {
        boolean alive = false;
        try (PreparedStatement statement = session.prepare(RELAYS);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                known.add(rows.getString("id"));
                alive |= rows.getString("id").equals(relay) && rows.getInt("alive") == 1;
            }
        }
        return alive;
    }

    private static List<OwnedShard> lockFree(Session session, Set<Integer> shards, Set<String> owners)
            throws SQLException {
        List<OwnedShard> free = new ArrayList<>();
        try (PreparedStatement statement = session.prepareList(LOCK_SHARDS, List.of(), shards);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                String owner = rows.getString("owner");
                if (owner == null || !owners.contains(owner)) {
                    free.add(new OwnedShard(rows.getInt("shard"), rows.getLong("epoch") + 1, rows.getLong("low_seq")));
                }
            }
        }
        return free;
    }
}
