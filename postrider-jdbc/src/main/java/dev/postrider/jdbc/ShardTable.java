package dev.postrider.jdbc;

import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import dev.postrider.database.Transactions;
import dev.postrider.spi.Acquired;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.RelayMode;
import dev.postrider.spi.RelayReport;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who lives and who owns what. A relay lives while its row says so by the database's clock; a shard belongs to its
 * owner while that relay lives. Thread-safe.
 */
final class ShardTable {

    private static final Duration FORGET_AFTER = Duration.ofMinutes(1);
    private static final Duration FORGET_CONTROL_AFTER = Duration.ofHours(1);
    private static final String RENEW = """
            update {relay}
               set until = {later}, host = ?, version = ?, state = ?, in_flight = ?, delivered = ?, failed = ?,
                   last_error = ?
             where id = ?
            """;
    private static final String JOIN = """
            insert into {relay} (until, host, version, state, in_flight, delivered, failed, last_error, id)
            values ({later}, ?, ?, ?, ?, ?, ?, ?, ?)
            """;
    private static final String GIVE_UP_ALL = "update {shard} set owner = null where owner = ?";
    private static final String LEAVE = "delete from {relay} where id = ?";
    private static final String REMOVE_JOURNAL = "delete from {claim} where relay = ?";
    private static final String FORGET = "delete from {relay} where until < {later}";
    private static final String LIVE = "select id from {relay} where until > {now} order by joined_at, id";
    private static final String SHARDS = "select shard, owner, epoch, low_seq from {shard} order by shard";
    private static final String RELEASE = "update {shard} set owner = null where shard = ? and owner = ? and epoch = ?";
    private static final String SAVE_LOW_WATER = "update {shard} set low_seq = ? where owner = ? and low_seq <> ?";

    private final Transactions transactions;

    ShardTable(Transactions transactions) {
        this.transactions = transactions;
    }

    Membership renew(RelayReport report, Duration ownFor) {
        return transactions.autoCommitted("renew relay " + report.relay(), session -> {
            @Nullable Object[] values = values(report, ownFor);
            if (session.update(RENEW, values) == 0) {
                join(session, report.relay(), values);
            }
            session.update(FORGET, -Micros.of(FORGET_AFTER));
            return membership(session, report.relay());
        });
    }

    private static @Nullable Object[] values(RelayReport report, Duration ownFor) {
        return new @Nullable Object[] {
            Micros.of(ownFor),
            report.host(),
            report.version(),
            report.state().name(),
            report.inFlight(),
            report.delivered(),
            report.failed(),
            report.lastError(),
            report.relay()
        };
    }

    // A relay whose row was forgotten is dead in the eyes of others, who may be taking its shards at this moment. It
    // starts again with nothing.
    private static void join(Session session, String relay, @Nullable Object[] values) throws SQLException {
        session.update(GIVE_UP_ALL, relay);
        session.update(JOIN, values);
        ControlTable.forgetGone(session, Micros.of(FORGET_CONTROL_AFTER));
    }

    private static Membership membership(Session session, String relay) throws SQLException {
        ControlTable control = ControlTable.read(session);
        List<String> relays = session.list(LIVE, rows -> rows.getString("id"));
        List<OwnedShard> owned = new ArrayList<>();
        Set<Integer> free = new HashSet<>();
        try (PreparedStatement statement = session.prepare(SHARDS);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                String owner = rows.getString("owner");
                if (relay.equals(owner)) {
                    owned.add(new OwnedShard(rows.getInt("shard"), rows.getLong("epoch"), rows.getLong("low_seq")));
                } else if (owner == null || !relays.contains(owner)) {
                    free.add(rows.getInt("shard"));
                }
            }
        }
        List<String> sharing = relays.stream()
                .filter(each -> control.of(each) != RelayMode.DRAIN)
                .toList();
        return new Membership(sharing, owned, free, control.wantedOf(relay));
    }

    Acquired acquire(String relay, Set<Integer> shards) {
        return shards.isEmpty()
                ? Acquired.NOTHING
                : OutboxDialect.of(transactions.dialect()).takeover().acquire(transactions, relay, shards);
    }

    void release(String relay, List<OwnedShard> shards) {
        transactions.autoCommitted("release shards", session -> {
            for (OwnedShard shard : shards) {
                session.update(RELEASE, shard.shard(), relay, shard.epoch());
            }
            return shards.size();
        });
    }

    void leave(String relay) {
        transactions.autoCommitted("leave", session -> {
            session.update(GIVE_UP_ALL, relay);
            session.update(LEAVE, relay);
            ControlTable.forget(session, relay);
            return session.update(REMOVE_JOURNAL, relay);
        });
    }

    void saveLowWater(String relay, long seq) {
        transactions.autoCommitted(
                "save the low-water mark", session -> session.update(SAVE_LOW_WATER, seq, relay, seq));
    }
}
