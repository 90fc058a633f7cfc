package dev.postrider.jdbc;

import dev.postrider.database.Transactions;
import dev.postrider.spi.Acquired;
import dev.postrider.spi.OwnedShard;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Takes shards and commits in one round trip: a client that freezes leaves no lock behind. */
final class PostgresTakeover implements ShardTakeover {

    // now() is when the transaction began, so that all statements agree on who is dead. A statement begins after the
    // locks of those before it are held, and sees whatever was committed until then. The rows of dead relays are
    // deleted and not only locked: a settlement that waited for the lock must find nothing, because its snapshot may
    // show the old owners.
    static final NamedSql ACQUIRE = NamedSql.of(PostgresSql.FIXED_JOIN + """
            select from {relay} r where r.until <= now() and r.id <> :relay order by r.id for update;
            select from {shard} s where s.shard = any (:shards::int[]) order by s.shard for update;
            delete from {relay} r where r.until <= now() and r.id <> :relay;
            with taken as (
                update {shard} s
                   set owner = :relay, epoch = s.epoch + 1
                  from {shard} p
                 where s.shard = any (:shards::int[])
                   and p.shard = s.shard
                   and not exists (select from {relay} r where r.id = s.owner and r.until > now())
                   and exists (select from {relay} r where r.id = :relay and r.until > clock_timestamp())
                returning s.shard, s.epoch, s.low_seq, p.owner as last_owner
            ), journaled as materialized (
                select f.seq, f.attempts, c.relay
                  from {claim} c
                 cross join unnest(c.seqs, c.attempts) as f (seq, attempts)
                 where c.relay in (select t.last_owner from taken t)
            ), locked as materialized (
                select m.seq, m.shard, m.attempts
                  from {message} m
                 where m.seq = any (array(select j.seq from journaled j))
                   and m.status = 0
                   and (m.due_at is null or m.due_at <= now())
                 order by m.seq
                   for no key update skip locked
            ), lost as (
                update {message} m
                   set lost_claims = m.lost_claims + 1
                 where m.seq = any (array(select l.seq
                                            from locked l
                                            join journaled j on j.seq = l.seq and j.attempts = l.attempts
                                            join taken t on t.shard = l.shard and t.last_owner = j.relay))
                returning m.seq
            ), forgotten as (
                delete
                  from {claim} c
                 where not exists (select from {relay} r where r.id = c.relay)
                   and not exists (select
                                     from {shard} s
                                    where s.owner = c.relay
                                      and s.shard not in (select t.shard from taken t))
            )
            select t.shard, t.epoch, t.low_seq, (select count(*) from lost) as lost_claims
              from taken t
            """ + PostgresSql.COMMIT);

    @Override
    public Acquired acquire(Transactions transactions, String relay, Set<Integer> shards) {
        return transactions.transacted("acquire shards", session -> {
            try (PreparedStatement statement = session.prepare(ACQUIRE.text())) {
                ACQUIRE.bind(
                        statement,
                        Map.of("relay", relay, "shards", session.connection().createArrayOf("int4", shards.toArray())));
                try (ResultSet rows = StatementResults.after(4, statement)) {
                    List<OwnedShard> taken = new ArrayList<>();
                    int lostClaims = 0;
                    while (rows.next()) {
                        taken.add(new OwnedShard(rows.getInt("shard"), rows.getLong("epoch"), rows.getLong("low_seq")));
                        lostClaims = rows.getInt("lost_claims");
                    }
                    return new Acquired(taken, lostClaims);
                }
            }
        });
    }
}
