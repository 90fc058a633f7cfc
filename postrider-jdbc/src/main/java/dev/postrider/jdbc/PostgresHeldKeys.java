package dev.postrider.jdbc;

import dev.postrider.database.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Finds holders by jumping from key to key in their index. */
final class PostgresHeldKeys implements HeldKeys {

    // The comparison of rows and the order by all columns leave the planner no index but the one of the holders;
    // the function keeps it away from the index of times, where everything that waits has the same one.
    static final String PROMOTE = """
            update {message} m
               set due_at = clock_timestamp(), updated_at = clock_timestamp()
             where m.seq = any (array(
                       select (select h.seq
                                 from (select h.seq, h.message_key, h.topic, h.namespace
                                         from {message} h
                                        where h.holds_key
                                          and (h.message_key, h.topic, h.namespace) >= (k.key, k.topic, k.namespace)
                                        order by h.message_key, h.topic, h.namespace, h.seq
                                        limit 1) h
                                where (h.message_key, h.topic, h.namespace) = (k.key, k.topic, k.namespace))
                         from unnest(?::text[], ?::text[], ?::text[]) as k (namespace, topic, key)))
               and m.status = 0
               and not isfinite(m.due_at)
            """;

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

    static final String UNBLOCK = HOLDERS + """
            update {message} m
               set due_at = clock_timestamp(), updated_at = clock_timestamp()
             where m.seq = any (array(select h.seq from holder h))
               and m.status = 0
               and not isfinite(m.due_at)
               and m.shard = any (?::int[])
            """;

    private static final String LIST = PostgresSql.FIXED_PLAN + HOLDERS + """
            select h.seq
              from holder h
            """;

    static void addPromotion(Pipeline pipeline, List<KeyName> keys) throws SQLException {
        pipeline.add(
                PROMOTE,
                pipeline.array("text", keys, KeyName::namespace),
                pipeline.array("text", keys, KeyName::topic),
                pipeline.array("text", keys, KeyName::key));
    }

    @Override
    public void promote(Session session, Collection<KeyName> keys) throws SQLException {
        Pipeline pipeline = new Pipeline(session, PostgresSql.FIXED_PLAN);
        addPromotion(pipeline, List.copyOf(keys));
        pipeline.counts();
    }

    @Override
    public int unblock(Session session, Set<Integer> shards) throws SQLException {
        Pipeline pipeline = new Pipeline(session, PostgresSql.FIXED_PLAN);
        pipeline.add(UNBLOCK, Integer.MAX_VALUE, pipeline.array("int4", List.copyOf(shards), shard -> shard));
        return pipeline.counts().get(0);
    }

    @Override
    public List<Long> holders(Session session, int limit) throws SQLException {
        try (PreparedStatement statement = session.prepare(LIST)) {
            statement.setInt(1, limit);
            try (ResultSet rows = Results.after(1, statement)) {
                List<Long> holders = new ArrayList<>();
                while (rows.next()) {
                    holders.add(rows.getLong(1));
                }
                return holders;
            }
        }
    }
}
