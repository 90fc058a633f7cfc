package dev.postrider.jdbc;

import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import dev.postrider.database.SqlErrors;
import dev.postrider.database.Transactions;
import dev.postrider.jdbc.row.KeyName;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.Shards;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Settles in one round trip and transaction: one statement for each kind of outcome, and then what has to follow.
 *
 * <p>The fence of a relay is the lock on its own row, together with the epochs of its shards. A take-over deletes the
 * row of the dead relay, so it waits for a settlement that has the lock. A settlement that waited for a take-over finds
 * the row gone and changes nothing, although its snapshot still shows the old epochs.
 */
final class PostgresOutcomes implements Outcomes {

    private static final String FENCE = """
            with fence as materialized (
                select r.id
                  from {relay} r
                 where r.id = :relay
                   for key share
            ), owned as materialized (
                select array_agg(case when s.owner = :relay then s.epoch end order by s.shard) as epochs
                  from {shard} s
                 where exists (select from fence)
            )""";

    // Usually all deliveries of a batch have the same number of attempts, and nothing has to be joined. Nothing here
    // changes a column of an index unless the message has waited, so the update stays in its page.
    static final NamedSql DELIVER = NamedSql.of(FENCE + """

            update {message} m
               set status = 2, attempts = :attempt, lost_claims = 0, on_trial = false, claim_token = null,
                   holds_key = false, due_at = null, delivered_at = statement_timestamp(), died_at = null,
                   updated_at = statement_timestamp(), last_error = null, failure = null
             where m.seq = any (:seqs::bigint[])
               and m.attempts = :attempt - 1
               and m.due_at is null
               and (m.status = 0 or (m.status = 1 and m.claim_until < statement_timestamp()))
               and (select o.epochs from owned o)[m.shard + 1] = (:epochs::bigint[])[m.shard + 1]
            """);

    static final NamedSql DELETE = NamedSql.of(FENCE + """

            delete
              from {message} m
             using unnest(:seqs::bigint[], :attempts::int[], :dues::text[]::timestamptz[], :tokens::bigint[])
                   as o (seq, attempt, due, token)
             where m.seq = any (:seqs::bigint[])
               and m.seq = o.seq
               and ((m.attempts = o.attempt - 1
                     and m.due_at is not distinct from o.due
                     and (m.status = 0 or (m.status = 1 and m.claim_until < statement_timestamp()))
                     and (select w.epochs from owned w)[m.shard + 1] = (:epochs::bigint[])[m.shard + 1])
                    or (m.status = 1 and m.claim_token = o.token))
            """);

    // A token is only given for a claim that does not depend on a shard.
    static final NamedSql SETTLE = NamedSql.of(FENCE + """

            update {message} m
               set status = o.status,
                   attempts = o.attempt,
                   lost_claims = 0,
                   on_trial = false,
                   claim_token = null,
                   holds_key = m.message_key is not null and o.holds_key,
                   due_at = case when o.status = 0 then clock_timestamp() + o.delay * interval '1 microsecond' end,
                   delivered_at = case when o.status = 2 then statement_timestamp() end,
                   died_at = case when o.status = 3 then statement_timestamp() end,
                   updated_at = statement_timestamp(),
                   last_error = o.error,
                   failure = o.failure
              from unnest(:seqs::bigint[], :attempts::int[], :dues::text[]::timestamptz[], :tokens::bigint[],
                          :statuses::smallint[], :delays::bigint[], :holding::boolean[], :errors::text[], :failures::text[])
                   as o (seq, attempt, due, token, status, delay, holds_key, error, failure)
             where m.seq = any (:seqs::bigint[])
               and m.seq = o.seq
               and ((m.attempts = o.attempt - 1
                     and m.due_at is not distinct from o.due
                     and (m.status = 0 or (m.status = 1 and m.claim_until < statement_timestamp()))
                     and (select w.epochs from owned w)[m.shard + 1] = (:epochs::bigint[])[m.shard + 1])
                    or (m.status = 1 and m.claim_token = o.token))
            """);

    // The holder is locked: were it settled or discarded at this moment, nothing would make the message behind it due.
    // The cast keeps the planner away from the index of the holders, where the sequences are known.
    static final NamedSql PUT_BEHIND = NamedSql.of(FENCE + """
            , holder as materialized (
                select h.seq
                  from {message} h
                 where exists (select from fence)
                   and h.seq = any (:holders::bigint[])
                   and h.holds_key::int = 1
                 order by h.seq
                   for share
            )
            update {message} m
               set status = 0, claim_token = null, due_at = 'infinity', holds_key = true,
                   updated_at = statement_timestamp()
              from unnest(:seqs::bigint[], :attempts::int[], :dues::text[]::timestamptz[], :holders::bigint[])
                   as o (seq, attempt, due, holder)
             where m.seq = any (:seqs::bigint[])
               and m.seq = o.seq
               and o.holder in (select h.seq from holder h)
               and m.attempts = o.attempt - 1
               and m.due_at is not distinct from o.due
               and (m.status = 0 or (m.status = 1 and m.claim_until < statement_timestamp()))
               and (select w.epochs from owned w)[m.shard + 1] = (:epochs::bigint[])[m.shard + 1]
            """);

    // Begins trials, or ends those in which nothing was sent, and with them a claim that does not depend on a shard.
    static final NamedSql TRY = NamedSql.of(FENCE + """

            update {message} m
               set on_trial = :on_trial,
                   status = case when :on_trial then m.status else 0 end,
                   claim_token = case when :on_trial then m.claim_token end
              from unnest(:seqs::bigint[], :attempts::int[], :dues::text[]::timestamptz[], :tokens::bigint[])
                   as o (seq, attempt, due, token)
             where m.seq = any (:seqs::bigint[])
               and m.seq = o.seq
               and ((m.attempts = o.attempt - 1
                     and m.due_at is not distinct from o.due
                     and (m.status = 0 or (m.status = 1 and m.claim_until < statement_timestamp()))
                     and (select w.epochs from owned w)[m.shard + 1] = (:epochs::bigint[])[m.shard + 1])
                    or (m.status = 1 and m.claim_token = o.token))
            """);

    static final NamedSql LOCKED = NamedSql.of(PostgresSql.BEGIN + PostgresSql.FIXED_PLAN + """
            with free as materialized (
                select m.seq
                  from {message} m
                 where m.seq = any (:seqs::bigint[])
                 order by m.seq
                   for no key update skip locked
            )
            select m.seq
              from {message} m
             where m.seq = any (:seqs::bigint[])
               and m.seq not in (select f.seq from free f)
            """ + PostgresSql.COMMIT);

    private final Transactions transactions;
    private final boolean deleteDelivered;

    PostgresOutcomes(Transactions transactions, boolean deleteDelivered) {
        this.transactions = transactions;
        this.deleteDelivered = deleteDelivered;
    }

    @Override
    public Settled settle(List<Settlement> outcomes) {
        return transactions.autoCommitted("settle %d messages".formatted(outcomes.size()), session -> {
            try {
                return new Settled(write(session, outcomes), List.of());
            } catch (SQLException e) {
                if (!SqlErrors.lockTimeout(e)) {
                    throw e;
                }
                return settleUnlocked(session, outcomes);
            }
        });
    }

    private Settled settleUnlocked(Session session, List<Settlement> outcomes) throws SQLException {
        Set<Long> locked = locked(session, outcomes);
        List<Settlement> waiting = outcomes.stream()
                .filter(each -> seqs(each).anyMatch(locked::contains))
                .toList();
        List<Settlement> free = outcomes.stream()
                .filter(each -> seqs(each).noneMatch(locked::contains))
                .toList();
        try {
            return new Settled(write(session, free), waiting);
        } catch (SQLException e) {
            if (!SqlErrors.lockTimeout(e)) {
                throw e;
            }
            return new Settled(0, outcomes);
        }
    }

    private static Set<Long> locked(Session session, List<Settlement> outcomes) throws SQLException {
        Object[] seqs =
                outcomes.stream().flatMap(PostgresOutcomes::seqs).distinct().toArray();
        try (PreparedStatement look = session.prepare(LOCKED.text())) {
            LOCKED.bind(look, Map.of("seqs", session.connection().createArrayOf("int8", seqs)));
            Set<Long> locked = new HashSet<>();
            try (ResultSet rows = StatementResults.after(2, look)) {
                while (rows.next()) {
                    locked.add(rows.getLong(1));
                }
            }
            return locked;
        }
    }

    /** Returns the rows that are locked for an outcome. */
    private static Stream<Long> seqs(Settlement outcome) {
        return Stream.concat(Stream.of(outcome.claimed().seq()), Stream.ofNullable(outcome.holder()));
    }

    private int write(Session session, List<Settlement> outcomes) throws SQLException {
        if (outcomes.isEmpty()) {
            return 0;
        }
        Pipeline pipeline = new Pipeline(session, PostgresSql.FIXED_SETTLEMENT);
        int statements = 0;
        for (Batch batch : Batch.byRelay(outcomes, deleteDelivered)) {
            statements += add(session, pipeline, batch);
        }
        List<KeyName> freed = Batch.freed(outcomes);
        if (!freed.isEmpty()) {
            PostgresHeldKeys.addPromotion(pipeline, freed);
        }
        List<FailedAttempt> failed = FailedAttempt.all(outcomes);
        if (!failed.isEmpty()) {
            PostgresAttempts.addTo(pipeline, failed);
        }
        return pipeline.counts().stream()
                .limit(statements)
                .mapToInt(Integer::intValue)
                .sum();
    }

    // A message may be put behind one that is settled in the same batch, so that comes last.
    private static int add(Session session, Pipeline pipeline, Batch batch) throws SQLException {
        Map<String, @Nullable Object> fence = new HashMap<>();
        fence.put("relay", batch.relay());
        fence.put("epochs", epochs(session.connection(), batch.epochs()));
        int statements = 0;
        if (!batch.delivered().isEmpty()) {
            Map<String, @Nullable Object> values = new HashMap<>(fence);
            values.put(
                    "seqs",
                    pipeline.array(
                            "int8", batch.delivered(), each -> each.claimed().seq()));
            values.put("attempt", batch.delivered().get(0).claimed().attempt());
            pipeline.add(DELIVER, values);
            statements++;
        }
        if (!batch.deleted().isEmpty()) {
            pipeline.add(DELETE, rows(pipeline, fence, batch.deleted()));
            statements++;
        }
        if (!batch.settled().isEmpty()) {
            pipeline.add(SETTLE, outcomes(pipeline, fence, batch.settled()));
            statements++;
        }
        if (!batch.released().isEmpty()) {
            Map<String, @Nullable Object> values = rows(pipeline, fence, batch.released());
            values.put("on_trial", false);
            pipeline.add(TRY, values);
            statements++;
        }
        if (!batch.behind().isEmpty()) {
            Map<String, @Nullable Object> values = rows(pipeline, fence, batch.behind());
            values.put("holders", pipeline.array("int8", batch.behind(), Settlement::holder));
            pipeline.add(PUT_BEHIND, values);
            statements++;
        }
        return statements;
    }

    private static Map<String, @Nullable Object> rows(
            Pipeline pipeline, Map<String, @Nullable Object> fence, List<Settlement> outcomes) throws SQLException {
        Map<String, @Nullable Object> values = new HashMap<>(fence);
        values.put(
                "seqs", pipeline.array("int8", outcomes, each -> each.claimed().seq()));
        values.put(
                "attempts",
                pipeline.array("int4", outcomes, each -> each.claimed().attempt()));
        values.put("dues", pipeline.array("text", outcomes, PostgresOutcomes::due));
        values.put("tokens", pipeline.array("int8", outcomes, each -> token(each.claimed())));
        return values;
    }

    private static Map<String, @Nullable Object> outcomes(
            Pipeline pipeline, Map<String, @Nullable Object> fence, List<Settlement> outcomes) throws SQLException {
        Map<String, @Nullable Object> values = rows(pipeline, fence, outcomes);
        values.put("statuses", pipeline.array("int2", outcomes, each -> Batch.statusCode(each.outcome())));
        values.put("delays", pipeline.array("int8", outcomes, each -> Micros.of(each.delay())));
        values.put("holding", pipeline.array("bool", outcomes, Settlement::holdsKey));
        values.put("errors", pipeline.array("text", outcomes, FailedAttempt::error));
        values.put("failures", pipeline.array("text", outcomes, FailedAttempt::failure));
        return values;
    }

    private static @Nullable String due(Settlement outcome) {
        Instant due = outcome.claimed().dueAt();
        return due == null ? null : due.toString();
    }

    private static @Nullable Long token(ClaimedMessage claimed) {
        return claimed.epoch() == ClaimedMessage.NO_EPOCH ? claimed.token() : null;
    }

    @Override
    public boolean beginTrial(ClaimedMessage claimed) {
        List<Settlement> only = List.of(Settlement.released(claimed));
        return transactions.autoCommitted("begin a trial", session -> {
            Pipeline pipeline = new Pipeline(session, PostgresSql.FIXED_SETTLEMENT);
            Map<String, @Nullable Object> fence = new HashMap<>();
            fence.put("relay", claimed.claimedBy());
            fence.put("epochs", epochs(session.connection(), Map.of(claimed.shard(), claimed.epoch())));
            Map<String, @Nullable Object> values = rows(pipeline, fence, only);
            values.put("on_trial", true);
            pipeline.add(TRY, values);
            try {
                return pipeline.counts().get(0) == 1;
            } catch (SQLException e) {
                if (!SqlErrors.lockTimeout(e)) {
                    throw e;
                }
                return false;
            }
        });
    }

    /** Returns the epochs as an array with an element for each shard; minus one for a shard that has none. */
    static Array epochs(Connection connection, Map<Integer, Long> epochs) throws SQLException {
        Object[] all = new Object[Shards.COUNT];
        Arrays.fill(all, ClaimedMessage.NO_EPOCH);
        epochs.forEach((shard, epoch) -> all[shard] = epoch);
        return connection.createArrayOf("int8", all);
    }
}
