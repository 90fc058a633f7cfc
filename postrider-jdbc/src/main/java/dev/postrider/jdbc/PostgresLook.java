package dev.postrider.jdbc;

import dev.postrider.database.Session;
import dev.postrider.spi.Outlook;
import dev.postrider.spi.SeqRange;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** Looks which sequences can be seen. */
final class PostgresLook {

    // Sequences without a hole need not be sent one by one. The driver knows how large the answer can become, and
    // sends everything in one round trip, which is one implicit transaction. A commit would make the server log that
    // there is none.
    static final String ABOVE = PostgresSql.FIXED_PLAN + """
            select count(*) as size, coalesce(max(v.seq), 0) as last
              from (select m.seq
                      from {message} m
                     where m.seq > ?
                     order by m.seq
                     limit ?) v
            """;

    // One query, so that all of it is seen at the same moment. Arrays have no bound, so the driver may send the query
    // apart from its settings: only an explicit transaction keeps them.
    static final String EVERYWHERE = PostgresSql.BEGIN + PostgresSql.FIXED_PLAN + """
            select array(select m.seq
                           from {message} m
                          where m.seq > ?
                          order by m.seq
                          limit ?) as above,
                   array(select m.seq
                           from unnest(?::bigint[], ?::bigint[]) as g (after, up_to)
                          cross join lateral (select n.seq
                                                from {message} n
                                               where n.seq > g.after
                                                 and n.seq <= g.up_to
                                                 and n.status = 0
                                                 and n.due_at is null
                                               order by n.seq) m
                          limit ?) as appeared
            """ + PostgresSql.COMMIT;

    private PostgresLook() {}

    static Outlook at(Session session, long after, int limit, List<SeqRange> gaps) throws SQLException {
        Optional<Outlook> dense = gaps.isEmpty() ? above(session, after, limit) : Optional.empty();
        return dense.isPresent() ? dense.get() : everywhere(session, after, limit, gaps);
    }

    /** Returns nothing if there are holes between the sequences. */
    private static Optional<Outlook> above(Session session, long after, int limit) throws SQLException {
        try (PreparedStatement look = session.prepare(ABOVE)) {
            Session.bind(look, after, limit);
            try (ResultSet row = Results.after(1, look)) {
                row.next();
                long size = row.getLong("size");
                long last = row.getLong("last");
                if (size > 0 && last - after != size) {
                    return Optional.empty();
                }
                List<Long> above =
                        LongStream.rangeClosed(after + 1, after + size).boxed().toList();
                return Optional.of(new Outlook(above, List.of()));
            }
        }
    }

    private static Outlook everywhere(Session session, long after, int limit, List<SeqRange> gaps) throws SQLException {
        try (PreparedStatement look = session.prepare(EVERYWHERE)) {
            Session.bind(
                    look,
                    after,
                    limit,
                    session.connection()
                            .createArrayOf(
                                    "int8", gaps.stream().map(SeqRange::after).toArray()),
                    session.connection()
                            .createArrayOf(
                                    "int8", gaps.stream().map(SeqRange::upTo).toArray()),
                    Outlook.MOST_APPEARED);
            try (ResultSet row = Results.after(2, look)) {
                row.next();
                return new Outlook(List.of((Long[]) row.getArray("above").getArray()), List.of((Long[])
                        row.getArray("appeared").getArray()));
            }
        }
    }
}
