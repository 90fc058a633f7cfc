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

    // The rows of others are known by their shard, so that comes first.
    private static final String IS_FREE = """
            ((select epochs from owned)[m.shard + 1] >= 0
             and m.due_at is null
             and (m.status = 0
                  or (m.status = 1
                      and (m.claim_epoch < (select epochs from owned)[m.shard + 1]
                           or m.claim_until < clock_timestamp()
                           or m.claim_token = :token)))
             {open}
             and m.seq not in (select unnest(c.seqs)
                                 from {claim} c
                                where c.last_seq > :after
                                  and c.last_seq <= :furthest
                                  and c.first_seq <= :up_to
                                  and c.relay = :relay))
            """;

    private static final String JUDGED = """
            select m.seq, octet_length(m.payload) as bytes,
                   m.status <> 0 or m.lost_claims > 0 or m.on_trial or m.holds_key or m.xmax <> 0 as is_odd,
                   %s as is_free
              from {message} m
             where m.seq > :after
               and m.seq <= :up_to
            """;

    /**
     * Which rows of a range are read.
     *
     * @param rows what is judged
     * @param told how many rows the range has and which is the last
     */
    private record Reading(String rows, String told) {

        /** Those that can be claimed. Nothing else is read of the range, which may be a backlog of any length. */
        static final Reading FREE =
                new Reading(JUDGED.formatted("true") + " and " + IS_FREE + " order by m.seq limit :size", """
                0 as rows, coalesce((select v.seq
                                       from {message} v
                                      where v.seq > :after
                                        and v.seq <= :up_to
                                      order by v.seq desc
                                      limit 1), :after) as last""");

        /** All, for who wants to be told. */
        static final Reading ALL = new Reading(
                JUDGED.formatted(IS_FREE) + " order by m.seq",
                "count(*) as rows, coalesce(max(r.seq), :after) as last");

        NamedSql sql(String open) {
            return NamedSql.of(
                    TEMPLATE.replace("{rows}", rows).replace("{told}", told).replace("{open}", open));
        }
    }

    // Who claims in a shard is decided by its epoch, so a note needs no lock on its rows; a row that somebody else has
    // locked, or had, is known by its xmax. Notes of others are about shards of others, or are lost and ask for care:
    // only its own tell a relay which rows to pass over. What is rarely needed is asked only then: which of the rows
    // fit if not all do, their keys if any key is held at all, and the rows of the range if any is missing. Every part
    // of a statement costs when it begins, also if it is not needed, so there are few; and what a part hands on is
    // copied, so that rows are judged by what little that takes, and read as a whole only at the end.
    private static final String TEMPLATE = PostgresSql.FIXED_CLAIM.replace("?", ":relay")
            + """
            with owned as materialized (
                select array_agg(case when s.owner = :relay and s.shard = any (:shards::int[]) then s.epoch else -1 end
                                 order by s.shard) as epochs
                  from {shard} s
                 where exists (select from {relay} r where r.id = :relay and r.until > clock_timestamp())
            ), found as materialized (
                select count(*) filter (where r.is_free) as size,
                       array_agg(r.seq) filter (where r.is_free) as seqs,
                       array_agg(r.bytes) filter (where r.is_free) as sizes,
                       sum(r.bytes) filter (where r.is_free) as bytes,
                       coalesce(bool_or(r.is_odd) filter (where r.is_free), false) as is_odd,
                       {told}
                  from ({rows}) r
            ), chosen as materialized (
                select f.is_odd
                       or coalesce(f.seqs[f.size] - f.seqs[1] >= :widest, false)
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
                                        where l.seq = any (f.seqs)
                                          and l.seq >
            """
            + PostgresSql.HOLDER
            + """
                                      )) as needs_care,
                       case when f.bytes <= :bytes
                            then least(f.size, :size)
                            else (select greatest(1, count(*) filter (where g.bytes <= :bytes))
                                    from (select sum(e.bytes) over (order by e.place) as bytes
                                            from unnest(f.sizes[1 : (:size)]) with ordinality as e (bytes, place)) g) end as size
                  from found f
            ), taken as materialized (
                select f.seqs[1 : c.size] as seqs
                  from chosen c
                 cross join found f
                 where f.size > 0
                   and not c.needs_care
            ), note as (
                insert into {claim} (token, first_seq, last_seq, claimed_at, until, relay, epochs, seqs)
                select :token::bigint, t.seqs[1], t.seqs[cardinality(t.seqs)], clock_timestamp(),
                       clock_timestamp() + :micros::bigint * interval '1 microsecond', :relay::text, o.epochs, t.seqs
                  from taken t
                 cross join owned o
            )
            select c.needs_care, f.last as seen_to, f.size >= :size or c.size < f.size as is_full,
                   case when coalesce(cardinality(array_remove(o.epochs, -1)), 0) < cardinality(:shards::int[]) then :after::bigint
                        when f.size >= :size or c.size < f.size then f.seqs[c.size]
                        else f.last end as scanned_to,
                   case when :telling and f.last - :after <> f.rows
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

    private static final String IN_OPEN_TOPICS = """
            and (m.namespace, m.topic) not in (select t.namespace, t.topic
                                                  from unnest(:namespaces::text[], :topics::text[]) as t (namespace, topic))""";

    static final NamedSql CLAIM = Reading.FREE.sql("");

    static final NamedSql CLAIM_IN_OPEN_TOPICS = Reading.FREE.sql(IN_OPEN_TOPICS);

    static final NamedSql LOOK_AND_CLAIM = Reading.ALL.sql("");

    static final NamedSql LOOK_AND_CLAIM_IN_OPEN_TOPICS = Reading.ALL.sql(IN_OPEN_TOPICS);

    private PostgresFreeClaim() {}

    /** Claims; empty if more care is needed. Rows that were seen are told if {@code telling}. */
    static Optional<Sighting> run(Session session, RowKeys keys, ClaimRequest request, SeqRange range, boolean telling)
            throws SQLException {
        boolean open = request.closedTopics().isEmpty();
        NamedSql looking = open ? LOOK_AND_CLAIM : LOOK_AND_CLAIM_IN_OPEN_TOPICS;
        NamedSql sql = telling ? looking : open ? CLAIM : CLAIM_IN_OPEN_TOPICS;
        try (PreparedStatement claim = session.prepare(sql.text())) {
            sql.bind(claim, values(session, request, range, telling));
            try (ResultSet rows = Results.after(2, claim)) {
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
            session.abandon();
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
