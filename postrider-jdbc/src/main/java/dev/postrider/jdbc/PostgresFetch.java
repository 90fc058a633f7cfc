package dev.postrider.jdbc;

import dev.postrider.database.Session;
import dev.postrider.database.Transactions;
import dev.postrider.jdbc.row.MessageRows;
import dev.postrider.jdbc.row.RowKeys;
import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.TopicFilter;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.Writer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads rows and writes the in-flight journal in one round trip. No row is locked. */
final class PostgresFetch implements Fetches {

    /** How many entries of the index of due times one call looks at. */
    private static final int MOST_DUE = 5_000;

    // Rows are chosen by few columns and read as a whole only at the end, because every step copies what it hands on.
    // Octet_length does not read a payload that is stored apart. A dense beginning of the range is not counted again.
    static final NamedSql FETCH =
            NamedSql.of(PostgresSql.FIXED_FETCH + """
            with owned as materialized (
                select
                 where exists (select from {relay} r where r.id = :relay and r.until > clock_timestamp())
                   and not exists (select
                                     from {shard} s
                                    where (:epochs::bigint[])[s.shard + 1] >= 0
                                      and (s.owner is distinct from :relay
                                           or s.epoch <> (:epochs::bigint[])[s.shard + 1]))
            ), found as materialized (
                select array_agg(f.seq) filter (where f.fits) as seqs,
                       array_agg(f.attempts) filter (where f.fits) as attempts,
                       max(f.seq) filter (where f.fits) as last, count(*) filter (where f.fits) as size,
                       count(*) = :size or not bool_and(f.fits) as is_cut
                  from (select r.seq, r.attempts,
                               coalesce(octet_length(r.payload) + sum(octet_length(r.payload)) over earlier <= :bytes,
                                        true) as fits
                          from (select m.seq, m.shard, m.namespace, m.topic, m.status, m.attempts, m.claim_until,
                                       m.due_at, m.payload
                                  from {message} m
                                 where exists (select from owned)
                                   and m.seq > :after
                                   and m.seq <= :up_to
                                 order by m.seq
                                 limit :rows) r
                         where (:epochs::bigint[])[r.shard + 1] >= 0
                           and r.due_at is null
                           and (r.status = 0 or (r.status = 1 and r.claim_until < statement_timestamp()))
                           and (:all_topics
                                or ((r.namespace, r.topic) in (select t.namespace, t.topic
                                                                 from unnest(:namespaces::text[], :topics::text[])
                                                                      as t (namespace, topic))) = :only)
                           and r.seq not in (select unnest(:in_flight::bigint[]))
                        window earlier as (order by r.seq rows between unbounded preceding and 1 preceding)
                         order by r.seq
                         limit :size) f
            ), taken as materialized (
                select f.seqs, f.attempts, coalesce(f.is_cut, false) as is_cut,
                       case when f.last - :after = f.size then f.last else :after end as dense_to
                  from found f
            ), looked as materialized (
                select t.dense_to - :after + v.size as seen, coalesce(v.last, t.dense_to) as scanned_to
                  from taken t
                 cross join lateral (select count(*) as size, max(v.seq) as last
                                       from (select m.seq
                                               from {message} m
                                              where exists (select from owned)
                                                and m.seq > t.dense_to
                                                and m.seq <= case when t.is_cut then t.seqs[cardinality(t.seqs)]
                                                                  else :up_to end
                                              order by m.seq
                                              limit :rows - (t.dense_to - :after)) v) v
            ), ended as (
                delete
                  from {claim} c
                 where c.token = any (:ended::bigint[])
                   and c.relay = :relay
            ), journal as (
                insert into {claim} as c (token, relay, first_seq, last_seq, claimed_at, seqs, attempts)
                select :token, :relay, t.seqs[1], t.seqs[cardinality(t.seqs)], clock_timestamp(), t.seqs, t.attempts
                  from taken t
                 where cardinality(t.seqs) > 0
                    on conflict (token) do update
                   set first_seq = least(c.first_seq, excluded.first_seq),
                       last_seq = greatest(c.last_seq, excluded.last_seq),
                       seqs = excluded.seqs || c.seqs,
                       attempts = excluded.attempts || c.attempts
            )
            select l.scanned_to, l.seen, t.is_cut or l.seen >= :rows or not exists (select from owned) as is_full,
            """ + MessageRows.CLAIMED.indent(7) + """
                   , case when m.message_key is not null
                           and exists (select
                                         from {message} h
                                        where h.holds_key
                                        order by h.message_key, h.topic, h.namespace, h.seq
                                        limit 1)
                          then (select h.seq
                                  from (select h.seq, h.message_key, h.topic, h.namespace
                                          from {message} h
                                         where h.holds_key
                                           and (h.message_key, h.topic, h.namespace, h.seq)
                                               < (m.message_key, m.topic, m.namespace, m.seq)
                                         order by h.message_key desc, h.topic desc, h.namespace desc, h.seq desc
                                         limit 1) h
                                 where (h.message_key, h.topic, h.namespace) = (m.message_key, m.topic, m.namespace))
                          end as holder
              from taken t
             cross join looked l
              left join {message} m on m.seq = any (t.seqs)
             order by m.seq
            """ + PostgresSql.COMMIT);

    static final NamedSql FETCH_DUE =
            NamedSql.of(PostgresSql.FIXED_FETCH + """
            with owned as materialized (
                select
                 where exists (select from {relay} r where r.id = :relay and r.until > clock_timestamp())
                   and not exists (select
                                     from {shard} s
                                    where (:epochs::bigint[])[s.shard + 1] >= 0
                                      and (s.owner is distinct from :relay
                                           or s.epoch <> (:epochs::bigint[])[s.shard + 1]))
            ), found as materialized (
                select array_agg(f.seq) filter (where f.fits) as seqs,
                       array_agg(f.attempts) filter (where f.fits) as attempts,
                       array_agg(f.due_at) filter (where f.fits) as dues, count(*) filter (where f.fits) as size,
                       count(*) = :size or not bool_and(f.fits) as is_cut
                  from (select r.seq, r.due_at, r.attempts,
                               coalesce(octet_length(r.payload) + sum(octet_length(r.payload)) over earlier <= :bytes,
                                        true) as fits
                          from (select m.seq, m.shard, m.namespace, m.topic, m.status, m.attempts, m.claim_until,
                                       m.due_at, m.payload
                                  from {message} m
                                 where exists (select from owned)
                                   and m.due_at <= statement_timestamp()
                                   and (m.due_at, m.seq) > (:after_at::timestamptz, :after)
                                 order by m.due_at, m.seq
                                 limit :rows) r
                         where (:epochs::bigint[])[r.shard + 1] >= 0
                           and (r.status = 0 or (r.status = 1 and r.claim_until < statement_timestamp()))
                           and (:all_topics
                                or ((r.namespace, r.topic) in (select t.namespace, t.topic
                                                                 from unnest(:namespaces::text[], :topics::text[])
                                                                      as t (namespace, topic))) = :only)
                           and r.seq not in (select unnest(:in_flight::bigint[]))
                        window earlier as (order by r.due_at, r.seq rows between unbounded preceding and 1 preceding)
                         order by r.due_at, r.seq
                         limit :size) f
            ), taken as materialized (
                select f.seqs, f.attempts, coalesce(f.is_cut, false) as is_cut,
                       f.dues[f.size::int] as last_at, f.seqs[f.size::int] as last
                  from found f
            ), ended as (
                delete
                  from {claim} c
                 where c.token = any (:ended::bigint[])
                   and c.relay = :relay
            ), journal as (
                insert into {claim} as c (token, relay, first_seq, last_seq, claimed_at, seqs, attempts)
                select :token, :relay, (select min(s) from unnest(t.seqs) s), (select max(s) from unnest(t.seqs) s),
                       clock_timestamp(), t.seqs, t.attempts
                  from taken t
                 where cardinality(t.seqs) > 0
                    on conflict (token) do update
                   set first_seq = least(c.first_seq, excluded.first_seq),
                       last_seq = greatest(c.last_seq, excluded.last_seq),
                       seqs = excluded.seqs || c.seqs,
                       attempts = excluded.attempts || c.attempts
            )
            select case when t.is_cut then t.last_at else n.due_at end as next_at,
                   case when t.is_cut then t.last else n.seq end as next_seq,
            """ + MessageRows.CLAIMED.indent(7) + """
                   , case when m.message_key is not null
                          then (select h.seq
                                  from (select h.seq, h.message_key, h.topic, h.namespace
                                          from {message} h
                                         where h.holds_key
                                           and (h.message_key, h.topic, h.namespace, h.seq)
                                               < (m.message_key, m.topic, m.namespace, m.seq)
                                         order by h.message_key desc, h.topic desc, h.namespace desc, h.seq desc
                                         limit 1) h
                                 where (h.message_key, h.topic, h.namespace) = (m.message_key, m.topic, m.namespace))
                          end as holder
              from taken t
              left join lateral (select e.due_at, e.seq
                                   from {message} e
                                  where exists (select from owned)
                                    and not t.is_cut
                                    and e.due_at <= statement_timestamp()
                                    and (e.due_at, e.seq) > (:after_at::timestamptz, :after)
                                  order by e.due_at, e.seq
                                 offset :rows - 1
                                  limit 1) n on true
              left join {message} m on m.seq = any (t.seqs)
             order by array_position(t.seqs, m.seq)
            """ + PostgresSql.COMMIT);

    static final NamedSql APPEARED = NamedSql.of(PostgresSql.BEGIN + PostgresSql.FIXED_PLAN + """
            select m.seq
              from unnest(:afters::bigint[], :up_tos::bigint[]) as h (after, up_to)
             cross join lateral (select n.seq
                                   from {message} n
                                  where n.seq > h.after
                                    and n.seq <= h.up_to
                                    and n.status = 0
                                    and n.due_at is null
                                    and n.shard = any (:shards::int[])
                                    and (:all_topics
                                         or ((n.namespace, n.topic) in (select t.namespace, t.topic
                                                                          from unnest(:namespaces::text[],
                                                                                      :topics::text[])
                                                                               as t (namespace, topic))) = :only)
                                  order by n.seq) m
             limit :most
            """ + PostgresSql.COMMIT);

    private final Transactions transactions;
    private final RowKeys keys;

    PostgresFetch(Transactions transactions, RowKeys keys) {
        this.transactions = transactions;
        this.keys = keys;
    }

    @Override
    public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
        return transactions.autoCommitted("fetch messages", session -> {
            Map<String, @Nullable Object> values = values(session.connection(), request, range);
            values.put("up_to", range.upTo());
            values.put("rows", (long) rows);
            try (PreparedStatement fetch = session.prepare(FETCH.text())) {
                FETCH.bind(fetch, values);
                try (ResultSet row = StatementResults.after(2, fetch)) {
                    row.next();
                    long scannedTo = row.getLong("scanned_to");
                    int seen = row.getInt("seen");
                    boolean full = row.getBoolean("is_full");
                    List<FetchedRow> fetched = rows(session, row, request);
                    return new FetchedPage(fetched, scannedTo, full, seen, holes(range.after(), scannedTo, seen));
                }
            }
        });
    }

    // One range for all of them: who may fill them is told by the transactions that still write.
    private static List<SeqRange> holes(long after, long scannedTo, int seen) {
        return seen < scannedTo - after ? List.of(new SeqRange(after, scannedTo)) : List.of();
    }

    @Override
    public FetchedDue fetchDue(FetchRequest request, @Nullable DuePosition after) {
        return transactions.autoCommitted("fetch messages that are due", session -> {
            SeqRange above = SeqRange.above(after == null ? 0 : after.seq());
            Map<String, @Nullable Object> values = values(session.connection(), request, above);
            values.put("in_flight", longs(session.connection(), request.inFlight()));
            values.put(
                    "after_at",
                    after == null ? OffsetDateTime.MIN : session.dialect().time(after.at()));
            values.put("rows", (long) MOST_DUE);
            try (PreparedStatement fetch = session.prepare(FETCH_DUE.text())) {
                FETCH_DUE.bind(fetch, values);
                try (ResultSet row = StatementResults.after(2, fetch)) {
                    row.next();
                    Instant nextAt = session.dialect().time(row, "next_at");
                    DuePosition next = nextAt == null ? null : new DuePosition(nextAt, row.getLong("next_seq"));
                    return new FetchedDue(rows(session, row, request), next);
                }
            }
        });
    }

    @Override
    public List<Long> appeared(Set<Integer> shards, TopicFilter filter, List<SeqRange> holes) {
        List<SeqRange> ascending = new ArrayList<>(holes);
        ascending.sort(Comparator.comparingLong(SeqRange::after));
        return transactions.autoCommitted("look for late messages", session -> {
            Connection connection = session.connection();
            Map<String, @Nullable Object> values = topics(connection, filter);
            values.put("shards", connection.createArrayOf("int4", shards.toArray()));
            values.put(
                    "afters",
                    longs(connection, ascending.stream().map(SeqRange::after).toList()));
            values.put(
                    "up_tos",
                    longs(connection, ascending.stream().map(SeqRange::upTo).toList()));
            values.put("most", OutboxStore.MOST_APPEARED);
            try (PreparedStatement look = session.prepare(APPEARED.text())) {
                APPEARED.bind(look, values);
                List<Long> seqs = new ArrayList<>();
                try (ResultSet row = StatementResults.after(2, look)) {
                    while (row.next()) {
                        seqs.add(row.getLong(1));
                    }
                }
                return seqs;
            }
        });
    }

    @Override
    public Optional<Set<Writer>> writers() {
        return transactions.autoCommitted("list writers", PostgresWriters::read);
    }

    private static Map<String, @Nullable Object> values(Connection connection, FetchRequest request, SeqRange range)
            throws SQLException {
        Map<String, @Nullable Object> values = topics(connection, request.topics());
        values.put("relay", request.relay());
        values.put("epochs", PostgresOutcomes.epochs(connection, request.epochs()));
        values.put("token", request.token());
        values.put("size", request.size().messages());
        values.put("bytes", request.size().bytes());
        values.put("after", range.after());
        values.put("ended", longs(connection, request.ended()));
        // The server builds a table of these for every fetch; a fetch at the head has none of them in its range.
        values.put(
                "in_flight",
                longs(
                        connection,
                        request.inFlight().stream()
                                .filter(seq -> seq > range.after() && seq <= range.upTo())
                                .toList()));
        return values;
    }

    private static Map<String, @Nullable Object> topics(Connection connection, TopicFilter filter) throws SQLException {
        List<TopicName> topics = List.copyOf(filter.names());
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("all_topics", topics.isEmpty() && !filter.only());
        values.put("only", filter.only());
        values.put("namespaces", texts(connection, topics.stream().map(TopicName::namespace)));
        values.put("topics", texts(connection, topics.stream().map(TopicName::topic)));
        return values;
    }

    private static Array texts(Connection connection, Stream<String> texts) throws SQLException {
        return connection.createArrayOf("text", texts.toArray());
    }

    private static Array longs(Connection connection, Collection<Long> numbers) throws SQLException {
        return connection.createArrayOf("int8", numbers.toArray());
    }

    /** Reads the current row and all that follow; the first has no message if there is none. */
    private List<FetchedRow> rows(Session session, ResultSet row, FetchRequest request) throws SQLException {
        MessageRows reader = new MessageRows(session.dialect(), keys);
        List<FetchedRow> rows = new ArrayList<>();
        if (row.getObject("seq") != null) {
            do {
                rows.add(fetched(reader, row, request));
            } while (row.next());
        }
        return rows;
    }

    private static FetchedRow fetched(MessageRows reader, ResultSet row, FetchRequest request) throws SQLException {
        return new FetchedRow(reader.fetched(row, request), row.getObject("holder", Long.class));
    }
}
