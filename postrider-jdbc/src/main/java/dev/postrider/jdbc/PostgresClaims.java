package dev.postrider.jdbc;

import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import dev.postrider.database.Transactions;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Outlook;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Sighting;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.Writer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Claims in one statement that is sent together with its commit: a client that freezes leaves no lock behind. */
final class PostgresClaims implements Claims {

    // "missed" are rows that were claimable when the statement began but are locked, or were changed, by somebody else.
    static final String CLAIM = PostgresSql.FIXED_CLAIM
            + PostgresNotes.WRITE_RANGE.strip()
            + ";\n"
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

    // Nobody notes a claim between the first statement and the last.
    static final String CLAIM_UNSHARDED = PostgresSql.FIXED_JOIN
            + """
            lock table {claim} in share row exclusive mode;
            """
            + PostgresNotes.WRITE_ALL.strip()
            + """
            ;
            with request as materialized (
                select ?::text as owner, ?::int as size, ?::int as max_attempts, ?::text as namespace,
                       ?::bigint as token, clock_timestamp() as now,
                       clock_timestamp() + ?::bigint * interval '1 microsecond' as until
            ), locked as materialized (
                select m.seq, m.attempts >= coalesce(m.max_attempts, (select max_attempts from request)) as exhausted
                  from {message} m
                 where m.seq > ?
                   and m.namespace = coalesce((select namespace from request), m.namespace)
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

    private final Transactions transactions;
    private final RowKeys keys;
    private final NotedClaims noted;

    PostgresClaims(Transactions transactions, RowKeys keys, NotedClaims noted) {
        this.transactions = transactions;
        this.keys = keys;
        this.noted = noted;
    }

    @Override
    public Optional<Set<Writer>> writers() {
        return transactions.autoCommitted("list writers", PostgresWriters::read);
    }

    @Override
    public Outlook look(long after, int limit, List<SeqRange> gaps) {
        return transactions.autoCommitted("look at messages", session -> PostgresLook.at(session, after, limit, gaps));
    }

    @Override
    public ClaimedBatch claim(ClaimRequest request, SeqRange range) {
        return claimFree(request, range, false)
                .map(Sighting::batch)
                .orElseGet(() -> transactions.autoCommitted(
                        "claim messages", session -> claimCarefully(session, request, range)));
    }

    @Override
    public Optional<Sighting> lookAndClaim(ClaimRequest request, SeqRange range) {
        Optional<Sighting> few = PostgresFewClaim.fits(request)
                ? transactions.autoCommitted(
                        "claim messages", session -> PostgresFewClaim.run(session, keys, request, range))
                : Optional.empty();
        return few.isPresent() ? few : claimFree(request, range, true);
    }

    private Optional<Sighting> claimFree(ClaimRequest request, SeqRange range, boolean telling) {
        Optional<Sighting> claimed = transactions.autoCommitted(
                "claim messages", session -> PostgresFreeClaim.run(session, keys, request, range, telling));
        claimed.ifPresent(sighting ->
                noted.add(request.token(), sighting.batch().messages().size()));
        return claimed;
    }

    private ClaimedBatch claimCarefully(Session session, ClaimRequest request, SeqRange range) throws SQLException {
        try (PreparedStatement claim = session.prepare(CLAIM)) {
            claim.setString(1, request.relay());
            bind(claim, PostgresNotes.bindRange(claim, 2, request, range), request, range);
            try (ResultSet rows = Results.after(3, claim)) {
                List<ClaimedMessage> messages = new ArrayList<>();
                MessageRows reader = new MessageRows(session.dialect(), keys);
                long scannedTo = range.after();
                boolean full = false;
                while (rows.next()) {
                    scannedTo = rows.getLong("scanned_to");
                    full = rows.getBoolean("is_full");
                    if (rows.getObject("seq") != null) {
                        messages.add(reader.claimed(rows, request.token(), request.relay()));
                    }
                }
                return new ClaimedBatch(inOrder(messages), scannedTo, full);
            }
        }
    }

    @Override
    public List<ClaimedMessage> claimWaiting(ClaimRequest request) {
        return transactions.autoCommitted("claim waiting messages", session -> {
            try (PreparedStatement claim = session.prepare(CLAIM_WAITING)) {
                claim.setString(1, request.relay());
                bind(claim, 2, request, SeqRange.above(0));
                return messages(session, Results.after(2, claim), request.token(), request.relay());
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
                        request.namespace(),
                        request.token(),
                        Micros.of(request.claimFor()),
                        request.after(),
                        UnshardedRequest.EXPIRED,
                        UnshardedRequest.EXPIRED);
                return messages(session, Results.after(3, claim), request.token(), request.owner());
            }
        });
    }

    private List<ClaimedMessage> messages(Session session, ResultSet claimed, long token, String claimedBy)
            throws SQLException {
        try (ResultSet rows = claimed) {
            List<ClaimedMessage> messages = new ArrayList<>();
            MessageRows reader = new MessageRows(session.dialect(), keys);
            while (rows.next()) {
                messages.add(reader.claimed(rows, token, claimedBy));
            }
            return inOrder(messages);
        }
    }

    /** Binds {@link PostgresSql#REQUEST} and returns the number of the next parameter. */
    static int bind(PreparedStatement claim, int first, ClaimRequest request, SeqRange range) throws SQLException {
        claim.setString(first, request.relay());
        claim.setArray(
                first + 1,
                claim.getConnection().createArrayOf("int4", request.shards().toArray()));
        claim.setLong(first + 2, request.token());
        claim.setInt(first + 3, request.size().messages());
        claim.setLong(first + 4, request.size().bytes());
        claim.setLong(first + 5, Micros.of(request.claimFor()));
        claim.setLong(first + 6, range.after());
        claim.setLong(first + 7, range.upTo());
        List<TopicName> closed = List.copyOf(request.closedTopics());
        Object[] namespaces = closed.stream().map(TopicName::namespace).toArray();
        Object[] topics = closed.stream().map(TopicName::topic).toArray();
        claim.setArray(first + 8, claim.getConnection().createArrayOf("text", namespaces));
        claim.setArray(first + 9, claim.getConnection().createArrayOf("text", topics));
        return first + 10;
    }

    static List<ClaimedMessage> inOrder(List<ClaimedMessage> messages) {
        messages.sort(Comparator.comparingLong(ClaimedMessage::seq));
        return messages;
    }
}
