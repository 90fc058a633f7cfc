package dev.postrider.jdbc;

import dev.postrider.database.Session;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Sighting;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * The usual claim: nobody else has a lock on a row and no key is held. Rows are updated without being locked first. It
 * claims nothing and says no position if a key is held, and fails if it would have to wait or if a row was changed
 * meanwhile; then {@link PostgresClaims#CLAIM} decides.
 */
final class PostgresFreeClaim {

    // "changed" is an error with a reason, made from a column so that it is not evaluated before its time. What is
    // rarely needed is asked only then: the keys of the rows if any key is held at all, which rows fit if not all do,
    // and the number of rows in the range, which is known if all of them are free. Nothing is counted for who does not
    // want to be told: that range may be a backlog of any length.
    static final String CLAIM = PostgresSql.FIXED_CLAIM_SHORT_WAIT
            + PostgresSql.REQUEST
            + """
            , free as materialized (
                select m.seq, octet_length(m.payload) as bytes
                  from {message} m
                 where m.seq > (select after from request)
                   and m.seq <= (select up_to from request)
                   and m.due_at is null
            """
            + PostgresSql.CLAIMABLE
            + """
                 order by m.seq
                 limit (select size from request)
            ), found as materialized (
                select count(*) as size, max(f.seq) as last, sum(f.bytes) as bytes
                  from free f
            ), cut as materialized (
                select case when f.bytes <= r.bytes
                            then f.last
                            else (select coalesce(max(g.seq) filter (where g.bytes <= (select bytes from request)),
                                                  min(g.seq))
                                    from (select e.seq, sum(e.bytes) over (order by e.seq) as bytes
                                            from free e) g) end as last
                  from found f
                 cross join request r
            ), held as materialized (
                select exists (select
                                 from {message} h
                                where h.holds_key
                                order by h.message_key, h.topic, h.namespace, h.seq
                                limit 1)
                       and exists (select
                                     from {message} l
                                    where l.seq = any (array(select f.seq from free f))
                                      and l.seq >
            """
            + PostgresSql.HOLDER
            + """
                                  ) as any_key
            ), chosen as materialized (
                select case when h.any_key
                            then '{}'
                            else array(select f.seq from free f where f.seq <= (select last from cut)) end as seqs
                  from held h
            ), taken as (
            """
            + PostgresSql.TAKE
            + """
                 where m.seq = any ((select seqs from chosen)::bigint[])
                   and m.due_at is null
            """
            + PostgresSql.CLAIMABLE
            + """
                returning
            """
            + MessageRows.CLAIMED.indent(10)
            + """
            ), top as materialized (
                select coalesce((select v.seq
                                   from {message} v
                                  where v.seq > (select after from request)
                                    and v.seq <= (select up_to from request)
                                  order by v.seq desc
                                  limit 1), (select after from request)) as last
            ), progress as materialized (
                select case when h.any_key then null
                            when cardinality(array_remove(o.epochs, -1)) < cardinality(r.shards) then r.after
                            when c.last < f.last then c.last
                            when f.size = r.size then f.last
                            else t.last end as scanned_to,
                       f.size = r.size or coalesce(c.last < f.last, false) as is_full,
                       case when (select count(*) from taken) <> cardinality(x.seqs)
                            then ('a row was changed while it was claimed by ' || r.relay)::int end as changed,
                       t.last as seen_to,
                       case when ?::int = 1
                                 and t.last - r.after <> f.size
                                 and t.last - r.after <> (select count(*)
                                                            from {message} v
                                                           where v.seq > (select after from request)
                                                             and v.seq <= (select up_to from request))
                            then array(select v.seq
                                         from {message} v
                                        where v.seq > (select after from request)
                                          and v.seq <= (select up_to from request)
                                        order by v.seq) end as seen
                  from request r
                 cross join owned o
                 cross join found f
                 cross join cut c
                 cross join held h
                 cross join chosen x
                 cross join top t
            )
            select x.is_first, p.scanned_to, p.is_full, p.changed, p.seen_to, p.seen, m.*
              from (values (true), (false)) as x (is_first)
              left join progress p on x.is_first
              left join taken m on not x.is_first
            """
            + PostgresSql.COMMIT;

    private PostgresFreeClaim() {}

    /** Claims; empty if a key is held. Rows that were seen are told if {@code telling}. */
    static Optional<Sighting> run(Session session, RowKeys keys, ClaimRequest request, SeqRange range, boolean telling)
            throws SQLException {
        try (PreparedStatement claim = session.prepare(CLAIM)) {
            PostgresClaims.bind(claim, request, range);
            claim.setInt(11, telling ? 1 : 0);
            try (ResultSet rows = Results.after(1, claim)) {
                MessageRows reader = new MessageRows(session.dialect(), keys);
                List<ClaimedMessage> messages = new ArrayList<>();
                List<Long> seen = List.of();
                long scannedTo = range.after();
                boolean full = false;
                while (rows.next()) {
                    if (rows.getBoolean("is_first")) {
                        scannedTo = rows.getLong("scanned_to");
                        if (rows.wasNull()) {
                            return Optional.empty();
                        }
                        full = rows.getBoolean("is_full");
                        seen = telling ? seen(rows, range.after()) : List.of();
                    } else if (rows.getObject("seq") != null) {
                        messages.add(reader.claimed(rows, request.token(), request.relay()));
                    }
                }
                return Optional.of(
                        new Sighting(seen, new ClaimedBatch(PostgresClaims.inOrder(messages), scannedTo, full)));
            }
        }
    }

    // Sequences without a hole are not sent one by one.
    private static List<Long> seen(ResultSet row, long after) throws SQLException {
        Array seen = row.getArray("seen");
        return seen == null
                ? LongStream.rangeClosed(after + 1, row.getLong("seen_to"))
                        .boxed()
                        .toList()
                : List.of((Long[]) seen.getArray());
    }
}
