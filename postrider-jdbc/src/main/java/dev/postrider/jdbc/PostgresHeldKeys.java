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
import java.util.Map;
import java.util.Set;

/** Finds holders by jumping from key to key in their index. */
final class PostgresHeldKeys implements HeldKeys {

    // The comparison of rows and the order by all columns leave the planner no index but the one of the holders;
    // the function keeps it away from the index of times, where everything that waits has the same one.
    static final NamedSql PROMOTE = NamedSql.of("""
            with unlocked as materialized (
                select m.seq
                  from {message} m
                 where m.seq = any (array(
                           select f.seq
                             from unnest(:namespaces::text[], :topics::text[], :keys::text[])
                                  as k (namespace, topic, key)
                            cross join lateral (select h.seq, bool_and(h.status = 0 and not isfinite(h.due_at))
                                                              over (order by h.message_key, h.topic, h.namespace, h.seq)
                                                              as waits
                                                  from (select h.seq, h.message_key, h.topic, h.namespace, h.status,
                                                               h.due_at
                                                          from {message} h
                                                         where h.holds_key
                                                           and (h.message_key, h.topic, h.namespace)
                                                               >= (k.key, k.topic, k.namespace)
                                                         order by h.message_key, h.topic, h.namespace, h.seq
                                                         limit :most) h
                                                 where (h.message_key, h.topic, h.namespace)
                                                       = (k.key, k.topic, k.namespace)) f
                            where f.waits))
                   and m.status = 0
                   and not isfinite(m.due_at)
                   for no key update skip locked
            )
            update {message} m
               set due_at = statement_timestamp(), updated_at = statement_timestamp()
             where m.seq = any (array(select u.seq from unlocked u))
            """);

    private static final String HOLDERS = """
            with recursive holder as (
                (select h.seq, h.message_key, h.topic, h.namespace, 1 as place
                   from {message} h
                  where h.holds_key
                  order by h.message_key, h.topic, h.namespace, h.seq
                  limit 1)
                 union all
                select n.seq, n.message_key, n.topic, n.namespace, p.place + 1
                  from holder p
                 cross join lateral (select h.seq, h.message_key, h.topic, h.namespace
                                       from {message} h
                                      where h.holds_key
                                        and (h.message_key, h.topic, h.namespace)
                                            > (p.message_key, p.topic, p.namespace)
                                      order by h.message_key, h.topic, h.namespace, h.seq
                                      limit 1) n
                 where p.place < ?
            )
            """;

    // A message is stranded if no earlier message holds its key. The order by due_at leaves the planner no index but
    // the one of the waiting rows, where all that wait behind another come last.
    static final NamedSql UNBLOCK = NamedSql.of(PostgresSql.FIXED_PLAN + """
            with page as materialized (
                select m.seq, m.shard, m.message_key, m.topic, m.namespace
                  from {message} m
                 where m.due_at is not null
                   and (m.due_at, m.seq) > ('infinity'::timestamptz, :after)
                 order by m.due_at, m.seq
                 limit :most
            ), stranded as materialized (
                select p.seq
                  from page p
                 where p.shard = any (:shards::int[])
                   and p.seq = (select h.seq
                                  from (select h.seq, h.message_key, h.topic, h.namespace
                                          from {message} h
                                         where h.holds_key
                                           and (h.message_key, h.topic, h.namespace)
                                               >= (p.message_key, p.topic, p.namespace)
                                         order by h.message_key, h.topic, h.namespace, h.seq
                                         limit 1) h
                                 where (h.message_key, h.topic, h.namespace) = (p.message_key, p.topic, p.namespace))
            ), unlocked as materialized (
                select m.seq
                  from {message} m
                 where m.seq = any (array(select s.seq from stranded s))
                   and m.status = 0
                   and not isfinite(m.due_at)
                   for no key update skip locked
            ), freed as (
                update {message} m
                   set due_at = clock_timestamp(), updated_at = clock_timestamp()
                 where m.seq = any (array(select u.seq from unlocked u))
                returning m.seq
            )
            select (select count(*) from freed) as messages,
                   (select count(*) from page) as looked_at,
                   (select max(p.seq) from page p) as last
            """);

    private static final String LIST = PostgresSql.FIXED_PLAN + HOLDERS + """
            select h.seq
              from holder h
            """;

    static void addPromotion(Pipeline pipeline, List<KeyName> keys) throws SQLException {
        pipeline.add(
                PROMOTE,
                Map.of(
                        "namespaces", pipeline.array("text", keys, KeyName::namespace),
                        "topics", pipeline.array("text", keys, KeyName::topic),
                        "keys", pipeline.array("text", keys, KeyName::key),
                        "most", PROMOTED_AT_ONCE));
    }

    @Override
    public void promote(Session session, Collection<KeyName> keys) throws SQLException {
        Pipeline pipeline = new Pipeline(session, PostgresSql.FIXED_PLAN);
        addPromotion(pipeline, List.copyOf(keys));
        pipeline.counts();
    }

    @Override
    public Unblocked unblock(Session session, Set<Integer> shards, long after) throws SQLException {
        try (PreparedStatement statement = session.prepare(UNBLOCK.text())) {
            UNBLOCK.bind(
                    statement,
                    Map.of(
                            "after", after,
                            "most", UNBLOCKED_AT_ONCE,
                            "shards", session.connection().createArrayOf("int4", shards.toArray())));
            try (ResultSet row = StatementResults.after(1, statement)) {
                row.next();
                boolean more = row.getInt("looked_at") == UNBLOCKED_AT_ONCE;
                return new Unblocked(row.getInt("messages"), more ? row.getLong("last") : 0);
            }
        }
    }

    @Override
    public List<Long> holders(Session session, int limit) throws SQLException {
        try (PreparedStatement statement = session.prepare(LIST)) {
            statement.setInt(1, limit);
            try (ResultSet rows = StatementResults.after(1, statement)) {
                List<Long> holders = new ArrayList<>();
                while (rows.next()) {
                    holders.add(rows.getLong(1));
                }
                return holders;
            }
        }
    }
}
