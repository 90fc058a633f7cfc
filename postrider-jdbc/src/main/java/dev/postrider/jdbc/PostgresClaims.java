package dev.postrider.jdbc;

import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Outlook;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.TopicName;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/** Claims in one statement that is sent together with its commit: a client that freezes leaves no lock behind. */
final class PostgresClaims implements Claims {

    // The usual case: nobody else has a lock on a row and no key is held. Rows are updated without being locked first,
    // which
    // costs the server half the work and a quarter of the log. It claims nothing if a key is held, and fails if it
    // would
    // have to wait or if a row was changed meanwhile: then the careful statement below decides. "changed" is an error
    // with a reason, made from a column so that it is not evaluated before its time.
    static final String CLAIM_FREE = PostgresSql.FIXED_CLAIM_SHORT_WAIT
            + PostgresSql.REQUEST
            + """
            , free as materialized (
                select m.seq, m.namespace, m.topic, m.message_key,
                       row_number() over place = 1
                       or sum(octet_length(m.payload)) over place <= (select bytes from request) as fits
                  from {message} m
                 where m.seq > (select after from request)
                   and m.seq <= (select up_to from request)
                   and m.due_at is null
            """
            + PostgresSql.CLAIMABLE
            + """
                window place as (order by m.seq rows unbounded preceding)
                 order by m.seq
                 limit (select size from request)
            ), found as materialized (
                select count(*) as size, max(f.seq) as last,
                       count(*) filter (where f.fits) as fitting, max(f.seq) filter (where f.fits) as last_fitting
                  from free f
            ), held as materialized (
                select exists (select
                                 from {message} h
                                where h.holds_key
                                order by h.message_key, h.topic, h.namespace, h.seq
                                limit 1)
                       and exists (select
                                     from free l
                                    where l.seq >
            """
            + PostgresSql.HOLDER
            + """
                                  ) as any_key
            ), taken as (
            """
            + PostgresSql.TAKE
            + """
                 where m.seq = any (array(select f.seq from free f where f.fits and not (select any_key from held)))
                   and m.due_at is null
            """
            + PostgresSql.CLAIMABLE
            + """
                returning
            """
            + MessageRows.CLAIMED.indent(10)
            + """
            )
            select case when h.any_key then null
                        when cardinality(array_remove(o.epochs, -1)) < cardinality(r.shards) then r.after
                        when f.fitting < f.size then f.last_fitting
                        when f.size = r.size then f.last
                        else coalesce((select v.seq
                                         from {message} v
                                        where v.seq > (select after from request)
                                          and v.seq <= (select up_to from request)
                                        order by v.seq desc
                                        limit 1), r.after) end as scanned_to,
                   f.fitting < f.size or f.size = r.size as is_full,
                   case when (select count(*) from taken) <> f.fitting and not h.any_key
                        then ('a row was changed while it was claimed by ' || r.relay)::int end as changed,
                   m.*
              from request r
             cross join owned o
             cross join found f
             cross join held h
              left join taken m on true
            """
            + PostgresSql.COMMIT;

    // "missed" are rows that were claimable when the statement began but are locked, or were changed, by somebody else.
    static final String CLAIM = PostgresSql.FIXED_CLAIM
            + PostgresSql.REQUEST
            + """
            , locked as materialized (
                select m.seq, m.namespace, m.topic, m.message_key, m.due_at, octet_length(m.payload) as bytes
                  from {message} m
                 where m.seq > (select after from request)
                   and m.seq <= (select up_to from request)
                   and m.due_at is null
            """
            + PostgresSql.CLAIMABLE
            + """
                 order by m.seq
                 limit (select size from request)
                   for no key update of m skip locked
            ), found as materialized (
                select count(*) as size, max(l.seq) as last
                  from locked l
            ), missed as materialized (
                select m.seq, m.namespace, m.topic, m.message_key
                  from {message} m
                 where m.seq > (select after from request)
                   and m.seq <= (select case when f.size < r.size then r.up_to else f.last end
                                   from found f
                                  cross join request r)
                   and m.due_at is null
            """
            + PostgresSql.CLAIMABLE
            + """
                   and m.seq not in (select l.seq from locked l)
            )
            """
            + PostgresSql.VERDICT
            + """
            , progress as materialized (
                select greatest(r.after,
                                least(case when cardinality(array_remove(o.epochs, -1)) < cardinality(r.shards)
                                           then r.after end,
                                      (select min(x.seq) - 1 from missed x),
                                      (select min(j.seq) - 1 from judged j where j.verdict = 'left'),
                                      case when c.seq is not null
                                           then (select max(j.seq) from judged j where j.seq < c.seq)
                                           when f.size = r.size then f.last
                                           else coalesce((select v.seq
                                                            from {message} v
                                                           where v.seq > (select after from request)
                                                             and v.seq <= (select up_to from request)
                                                           order by v.seq desc
                                                           limit 1), r.after) end)) as scanned_to,
                       c.seq is not null or f.size = r.size as is_full
                  from request r
                 cross join owned o
                 cross join found f
                 cross join cut c
            )
            select p.scanned_to, p.is_full, m.*
              from progress p
              left join taken m on true
            """
            + PostgresSql.COMMIT;

    // Sequences without a hole need not be sent one by one. The driver knows how large the answer can become, so that
    // it
    // sends everything in one round trip.
    static final String LOOK_ABOVE = PostgresSql.FIXED_PLAN + """
            select count(*) as size, coalesce(max(v.seq), 0) as last,
                   pg_snapshot_xmax(pg_current_snapshot())::text::bigint as begun,
                   pg_snapshot_xmin(pg_current_snapshot())::text::bigint as ended
              from (select m.seq
                      from {message} m
                     where m.seq > ?
                     order by m.seq
                     limit ?) v
            """ + PostgresSql.COMMIT;

    // One statement, so that all of it is seen at the same moment.
    static final String LOOK = PostgresSql.FIXED_PLAN + """
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
                                               order by n.seq) m
                          limit ?) as appeared,
                   pg_snapshot_xmax(pg_current_snapshot())::text::bigint as begun,
                   pg_snapshot_xmin(pg_current_snapshot())::text::bigint as ended
            """ + PostgresSql.COMMIT;

    static final String CLAIM_WAITING = PostgresSql.FIXED_CLAIM
            + PostgresSql.REQUEST
            + """
            , locked as materialized (
                select m.seq, m.namespace, m.topic, m.message_key, m.due_at, octet_length(m.payload) as bytes
                  from {message} m
                 where m.due_at <= (select now from request)
            """
            + PostgresSql.CLAIMABLE
            + """
                 order by m.due_at, m.seq
                 limit (select size from request)
                   for no key update of m skip locked
            ), missed as materialized (
                select l.seq, l.namespace, l.topic, l.message_key
                  from locked l
                 where false
            )
            """
            + PostgresSql.VERDICT
            + """
            select m.*
              from taken m
            """
            + PostgresSql.COMMIT;

    static final String CLAIM_UNSHARDED =
            PostgresSql.FIXED_PLAN + """
            with request as materialized (
                select ?::text as owner, ?::int as size, ?::int as max_attempts, ?::bigint as token,
                       clock_timestamp() as now, clock_timestamp() + ?::bigint * interval '1 microsecond' as until
            ), locked as materialized (
                select m.seq, m.attempts >= coalesce(m.max_attempts, (select max_attempts from request)) as exhausted
                  from {message} m
                 where m.seq > ?
                   and ((m.status = 0
                         and (m.due_at is null or m.due_at <= (select now from request))
                         and m.attempts < coalesce(m.max_attempts, (select max_attempts from request)))
                        or (m.status = 1
                            and m.claim_epoch is null
                            and m.claim_until < (select now from request)))
                 order by m.seq
                 limit (select size from request)
                   for update of m skip locked
            ), died as (
                update {message} m
                   set status = 3, died_at = r.now, due_at = null, claim_token = null, last_error = ?, failure = ?,
                       updated_at = r.now
                  from request r
                 where m.seq = any (array(select l.seq from locked l where l.exhausted))
            ), taken as (
                update {message} m
                   set status = 1, attempts = m.attempts + 1,
                       lost_claims = m.lost_claims + case when m.status = 1 then 1 else 0 end,
                       claim_token = r.token, claim_epoch = null, claimed_by = r.owner, claim_until = r.until,
                       updated_at = r.now
                  from request r
                 where m.seq = any (array(select l.seq from locked l where not l.exhausted))
                returning
            """ + MessageRows.CLAIMED.indent(10) + """
            )
            select m.*
              from taken m
            """ + PostgresSql.COMMIT;

    // A lock that was in the way once is probably still there for the next claims.
    private static final int CAREFUL_CLAIMS = 100;

    private final Transactions transactions;
    private final RowKeys keys;
    private final AtomicInteger careful = new AtomicInteger();

    PostgresClaims(Transactions transactions, RowKeys keys) {
        this.transactions = transactions;
        this.keys = keys;
    }

    @Override
    public Outlook look(long after, int limit, List<SeqRange> gaps) {
        return transactions.autoCommitted("look at messages", session -> {
            Optional<Outlook> dense = gaps.isEmpty() ? lookAbove(session, after, limit) : Optional.empty();
            return dense.isPresent() ? dense.get() : look(session, after, limit, gaps);
        });
    }

    /** Returns nothing if there are holes between the sequences. */
    private static Optional<Outlook> lookAbove(Session session, long after, int limit) throws SQLException {
        try (PreparedStatement look = session.prepare(LOOK_ABOVE)) {
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
                return Optional.of(new Outlook(above, List.of(), row.getLong("begun"), row.getLong("ended")));
            }
        }
    }

    private static Outlook look(Session session, long after, int limit, List<SeqRange> gaps) throws SQLException {
        try (PreparedStatement look = session.prepare(LOOK)) {
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
            try (ResultSet row = Results.after(1, look)) {
                row.next();
                return new Outlook(
                        List.of((Long[]) row.getArray("above").getArray()),
                        List.of((Long[]) row.getArray("appeared").getArray()),
                        row.getLong("begun"),
                        row.getLong("ended"));
            }
        }
    }

    @Override
    public ClaimedBatch claim(ClaimRequest request, SeqRange range) {
        if (careful.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
            Optional<ClaimedBatch> free = claimFree(request, range);
            if (free.isPresent()) {
                return free.get();
            }
        }
        return transactions
                .transacted("claim messages", session -> claim(session, CLAIM, request, range))
                .orElseThrow();
    }

    private Optional<ClaimedBatch> claimFree(ClaimRequest request, SeqRange range) {
        return transactions.transacted("claim messages", session -> {
            try {
                return claim(session, CLAIM_FREE, request, range);
            } catch (SQLException e) {
                if (!SqlErrors.inTheWay(e)) {
                    throw e;
                }
                session.connection().rollback();
                careful.set(CAREFUL_CLAIMS);
                return Optional.empty();
            }
        });
    }

    private Optional<ClaimedBatch> claim(Session session, String statement, ClaimRequest request, SeqRange range)
            throws SQLException {
        try (PreparedStatement claim = session.prepare(statement)) {
            bind(claim, request, range);
            try (ResultSet rows = Results.after(1, claim)) {
                List<ClaimedMessage> messages = new ArrayList<>();
                MessageRows reader = new MessageRows(session.dialect(), keys);
                long scannedTo = range.after();
                boolean full = false;
                while (rows.next()) {
                    scannedTo = rows.getLong("scanned_to");
                    if (rows.wasNull()) {
                        return Optional.empty();
                    }
                    full = rows.getBoolean("is_full");
                    if (rows.getObject("seq") != null) {
                        messages.add(reader.claimed(rows, request.token(), request.relay()));
                    }
                }
                return Optional.of(new ClaimedBatch(inOrder(messages), scannedTo, full));
            }
        }
    }

    @Override
    public List<ClaimedMessage> claimWaiting(ClaimRequest request) {
        return transactions.transacted("claim waiting messages", session -> {
            try (PreparedStatement claim = session.prepare(CLAIM_WAITING)) {
                bind(claim, request, SeqRange.above(0));
                return messages(session, claim, request.token(), request.relay());
            }
        });
    }

    @Override
    public List<ClaimedMessage> claimUnsharded(UnshardedRequest request) {
        return transactions.transacted("claim messages", session -> {
            try (PreparedStatement claim = session.prepare(CLAIM_UNSHARDED)) {
                Session.bind(
                        claim,
                        request.owner(),
                        request.limit(),
                        request.maxAttempts(),
                        request.token(),
                        Micros.of(request.claimFor()),
                        request.after(),
                        UnshardedRequest.EXPIRED,
                        UnshardedRequest.EXPIRED);
                return messages(session, claim, request.token(), request.owner());
            }
        });
    }

    private List<ClaimedMessage> messages(Session session, PreparedStatement claim, long token, String claimedBy)
            throws SQLException {
        try (ResultSet rows = Results.after(1, claim)) {
            List<ClaimedMessage> messages = new ArrayList<>();
            MessageRows reader = new MessageRows(session.dialect(), keys);
            while (rows.next()) {
                messages.add(reader.claimed(rows, token, claimedBy));
            }
            return inOrder(messages);
        }
    }

    static void bind(PreparedStatement claim, ClaimRequest request, SeqRange range) throws SQLException {
        claim.setString(1, request.relay());
        claim.setArray(
                2, claim.getConnection().createArrayOf("int4", request.shards().toArray()));
        claim.setLong(3, request.token());
        claim.setInt(4, request.size().messages());
        claim.setLong(5, request.size().bytes());
        claim.setLong(6, Micros.of(request.claimFor()));
        claim.setLong(7, range.after());
        claim.setLong(8, range.upTo());
        List<TopicName> closed = List.copyOf(request.closedTopics());
        Object[] namespaces = closed.stream().map(TopicName::namespace).toArray();
        Object[] topics = closed.stream().map(TopicName::topic).toArray();
        claim.setArray(9, claim.getConnection().createArrayOf("text", namespaces));
        claim.setArray(10, claim.getConnection().createArrayOf("text", topics));
    }

    private static List<ClaimedMessage> inOrder(List<ClaimedMessage> messages) {
        messages.sort(Comparator.comparingLong(ClaimedMessage::seq));
        return messages;
    }
}
