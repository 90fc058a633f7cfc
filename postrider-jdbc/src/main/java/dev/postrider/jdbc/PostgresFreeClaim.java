package dev.postrider.jdbc;

import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import dev.postrider.database.SqlErrors;
import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Sighting;
import dev.postrider.spi.TopicName;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * The usual claim: nothing is wrong with any of the rows. It reads them and notes the claim beside them, and no row is
 * locked or written. It claims nothing if a row asks for more care: if it is locked or was claimed before, if its key
 * is held, or if a claim of it is noted that was lost. Then {@link PostgresClaims#CLAIM} decides.
 */
final class PostgresFreeClaim {

    private static final String COLUMNS = MessageRows.CLAIMED
            .replace("m.attempts", "m.attempts + 1 as attempts")
            .indent(10);

    // Who claims in a shard is decided by its epoch, so a note needs no lock on its rows; a row that somebody else has
    // locked, or had, is known by its xmax. Notes of others are about shards of others, or are lost and ask for care:
    // only its own tell a relay which rows to pass over. What is rarely needed is asked only then: which of the rows
    // fit if not all do, their keys if any key is held at all, and the rows of the range, which are known if all of
    // them are free or none is missing. Nothing of a range is read for who does not want to be told: it may be a
    // backlog of any length. Every part of a statement costs when it begins, also if it is not needed, so there are
    // few. What a part hands on is copied, so rows are judged by a few columns and read as a whole only at the end.
    private static final String TEMPLATE = PostgresSql.FIXED_CLAIM.replace("?", ":relay")
            + """
            with owned as materialized (
                select array_agg(case when s.owner = :relay and s.shard = any (:shards::int[]) then s.epoch else -1 end
                                 order by s.shard) as epochs
                  from {shard} s
                 where exists (select from {relay} r where r.id = :relay and r.until > clock_timestamp())
            ), free as materialized (
                select m.seq, octet_length(m.payload) as bytes,
                       m.status <> 0 or m.lost_claims > 0 or m.on_trial or m.holds_key or m.xmax <> 0 as is_odd
                  from {message} m
                 where m.seq > :after
                   and m.seq <= :up_to
                   and m.due_at is null
                   and (m.status = 0
                        or (m.status = 1
                            and (m.claim_epoch < (select epochs from owned)[m.shard + 1]
                                 or m.claim_until < clock_timestamp()
                                 or m.claim_token = :token)))
                   and (select epochs from owned)[m.shard + 1] >= 0
                   {open}
                   and m.seq not in (select unnest(c.seqs)
                                       from {claim} c
                                      where c.last_seq > :after
                                        and c.last_seq <= :furthest
                                        and c.first_seq <= :up_to
                                        and c.relay = :relay)
                 order by m.seq
                 limit :size
            ), found as materialized (
                select count(*) as size, min(f.seq) as first, max(f.seq) as last, sum(f.bytes) as bytes,
                       coalesce(bool_or(f.is_odd) or max(f.seq) - min(f.seq) >= :widest, false) as is_odd
                  from free f
            ), chosen as materialized (
                select f.is_odd
                       or exists (select
                                    from {claim} c
                                   where c.last_seq > :after
                                     and c.last_seq <= :furthest
                                     and c.first_seq <= :up_to
                                     and (c.token = :token
                                          or exists (select
                                                       from unnest(c.epochs, (select epochs from owned)) as e (noted, owned)
                                                      where e.noted >= 0
                                                        and e.owned >= 0
                                                        and (e.noted < e.owned or c.until < clock_timestamp()))))
                       or (exists (select
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
                                      )) as needs_care,
                       case when f.bytes <= :bytes
                            then f.last
                            else (select coalesce(max(g.seq) filter (where g.bytes <= :bytes), min(g.seq))
                                    from (select e.seq, sum(e.bytes) over (order by e.seq) as bytes
                                            from free e) g) end as last
                  from found f
            ), taken as materialized (
                select f.first, c.last, array(select f.seq from free f where f.seq <= c.last) as seqs
                  from chosen c
                 cross join found f
                 where c.last is not null
                   and not c.needs_care
            ), note as (
                insert into {claim} (token, first_seq, last_seq, claimed_at, until, relay, epochs, seqs)
                select :token::bigint, t.first, t.last, clock_timestamp(),
                       clock_timestamp() + :micros::bigint * interval '1 microsecond', :relay::text, o.epochs, t.seqs
                  from taken t
                 cross join owned o
            ), top as materialized (
                select coalesce((select v.seq
                                   from {message} v
                                  where v.seq > :after
                                    and v.seq <= :up_to
                                  order by v.seq desc
                                  limit 1), :after) as last
            )
            select c.needs_care, t.last as seen_to, f.size = :size or c.last < f.last as is_full,
                   case when coalesce(cardinality(array_remove(o.epochs, -1)), 0) < cardinality(:shards::int[]) then :after::bigint
                        when c.last < f.last or f.size = :size then c.last
                        else t.last end as scanned_to,
                   case when :telling
                         and t.last - :after <> f.size
                         and t.last - :after <> (select count(*) from {message} v where v.seq > :after and v.seq <= :up_to)
                        then array(select v.seq
                                     from {message} v
                                    where v.seq > :after
                                      and v.seq <= :up_to
                                    order by v.seq) end as seen,
            """
            + COLUMNS
            + """
              from chosen c
             cross join found f
             cross join owned o
             cross join top t
              left join {message} m on false
            union all
            select null, null, null, null, null,
            """
            + COLUMNS
            + """
              from {message} m
             where m.seq = any ((select t.seqs from taken t)::bigint[])
            """
            + PostgresSql.COMMIT;

    static final NamedSql CLAIM = NamedSql.of(TEMPLATE.replace("{open}", ""));

    static final NamedSql CLAIM_IN_OPEN_TOPICS = NamedSql.of(TEMPLATE.replace("{open}", """
            and (m.namespace, m.topic) not in (select t.namespace, t.topic
                                                    from unnest(:namespaces::text[], :topics::text[]) as t (namespace, topic))"""));

    private PostgresFreeClaim() {}

    /** Claims; empty if more care is needed. Rows that were seen are told if {@code telling}. */
    static Optional<Sighting> run(Session session, RowKeys keys, ClaimRequest request, SeqRange range, boolean telling)
            throws SQLException {
        NamedSql sql = request.closedTopics().isEmpty() ? CLAIM : CLAIM_IN_OPEN_TOPICS;
        try (PreparedStatement claim = session.prepare(sql.text())) {
            sql.bind(claim, values(session, request, range, telling));
            try (ResultSet rows = Results.after(1, claim)) {
                rows.next();
                return rows.getBoolean("needs_care")
                        ? Optional.empty()
                        : Optional.of(new Sighting(
                                telling ? seen(rows, range.after()) : List.of(),
                                batch(rows, new MessageRows(session.dialect(), keys), request)));
            }
        } catch (SQLException e) {
            // The token has a note already: a claim without an answer is repeated in another part of its range.
            if (!SqlErrors.duplicate(e)) {
                throw e;
            }
            session.connection().rollback();
            return Optional.empty();
        }
    }

    private static Map<String, Object> values(Session session, ClaimRequest request, SeqRange range, boolean telling)
            throws SQLException {
        Connection connection = session.connection();
        List<TopicName> closed = List.copyOf(request.closedTopics());
        Map<String, Object> values = new HashMap<>();
        values.put("relay", request.relay());
        values.put("shards", connection.createArrayOf("int4", request.shards().toArray()));
        values.put("token", request.token());
        values.put("size", request.size().messages());
        values.put("bytes", request.size().bytes());
        values.put("micros", Micros.of(request.claimFor()));
        values.put("after", range.after());
        values.put("up_to", range.upTo());
        values.put("furthest", PostgresNotes.furthest(range));
        values.put("widest", PostgresNotes.WIDEST);
        values.put("telling", telling);
        values.put(
                "namespaces",
                connection.createArrayOf(
                        "text", closed.stream().map(TopicName::namespace).toArray()));
        values.put(
                "topics",
                connection.createArrayOf(
                        "text", closed.stream().map(TopicName::topic).toArray()));
        return values;
    }

    // The first row, which is the current one, tells about the range; the others are the messages.
    private static ClaimedBatch batch(ResultSet rows, MessageRows reader, ClaimRequest request) throws SQLException {
        long scannedTo = rows.getLong("scanned_to");
        boolean full = rows.getBoolean("is_full");
        List<ClaimedMessage> messages = new ArrayList<>();
        while (rows.next()) {
            messages.add(reader.claimed(rows, request.token(), request.relay()));
        }
        return new ClaimedBatch(PostgresClaims.inOrder(messages), scannedTo, full);
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
