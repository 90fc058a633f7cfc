package dev.postrider.jdbc;

import dev.postrider.database.Session;
import dev.postrider.database.Transactions;
import dev.postrider.spi.OwnedShard;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Takes shards and commits in one round trip: a client that freezes leaves no lock behind. */
final class PostgresAcquisition implements Acquisition {

    // now() is when the transaction began, so that all three statements agree on who is dead. The third one begins
    // after
    // the locks are held and sees whatever was committed until then.
    private static final String ACQUIRE = """
            select from {relay} r where r.until <= now() order by r.id for update;
            select from {shard} s where s.shard = any (?::int[]) order by s.shard for update;
            update {shard} s
               set owner = ?, epoch = s.epoch + 1
             where s.shard = any (?::int[])
               and not exists (select from {relay} r where r.id = s.owner and r.until > now())
               and exists (select from {relay} r where r.id = ? and r.until > clock_timestamp())
            returning s.shard, s.epoch, s.low_seq
            """ + PostgresSql.COMMIT;

    @Override
    public List<OwnedShard> acquire(Transactions transactions, String relay, Set<Integer> shards) {
        return transactions.transacted("acquire shards", session -> {
            try (PreparedStatement statement = session.prepare(ACQUIRE)) {
                Array wanted = session.connection().createArrayOf("int4", shards.toArray());
                Session.bind(statement, wanted, relay, wanted, relay);
                try (ResultSet rows = Results.after(2, statement)) {
                    List<OwnedShard> taken = new ArrayList<>();
                    while (rows.next()) {
                        taken.add(new OwnedShard(rows.getInt(1), rows.getLong(2), rows.getLong(3)));
                    }
                    return taken;
                }
            }
        });
    }
}
