package dev.postrider.jdbc;

import dev.postrider.MessageStatus;
import dev.postrider.database.Micros;
import dev.postrider.database.Transactions;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import java.sql.Array;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Settles all outcomes in one statement; what has to follow it goes in the same round trip and transaction. */
final class PostgresOutcomes implements Outcomes {

    // Fenced by the token alone: a further condition on a state makes the planner leave the primary key.
    static final String SETTLE = """
            update {message} m
               set status = o.status,
                   attempts = m.attempts - o.given_back,
                   lost_claims = case when o.trial is null then 0 else m.lost_claims end,
                   on_trial = coalesce(o.trial, false),
                   claim_token = null,
                   holds_key = m.message_key is not null and coalesce(o.holds_key, m.holds_key),
                   due_at = case o.due when 0 then null
                                       when 1 then clock_timestamp() + o.delay * interval '1 microsecond'
                                       when 2 then m.due_at
                                       else 'infinity' end,
                   delivered_at = case when o.status = 2 then clock_timestamp() end,
                   died_at = case when o.status = 3 then clock_timestamp() end,
                   updated_at = clock_timestamp(),
                   last_error = case when o.status = 2 then null else coalesce(o.error, m.last_error) end,
                   failure = case when o.status = 2 then null when o.error is null then m.failure else o.failure end
              from unnest(?::bigint[], ?::bigint[], ?::smallint[], ?::int[], ?::boolean[], ?::smallint[], ?::bigint[],
                          ?::text[], ?::text[], ?::boolean[])
                   as o (seq, token, status, given_back, holds_key, due, delay, error, failure, trial)
             where m.seq = any (?::bigint[])
               and m.seq = o.seq
               and m.claim_token = o.token
            """;

    // The usual case. What was claimed together has one token, so nothing has to be joined.
    static final String SETTLE_DELIVERED = """
            update {message} m
               set status = 2, lost_claims = 0, on_trial = false, claim_token = null, holds_key = false, due_at = null,
                   delivered_at = statement_timestamp(), died_at = null, updated_at = statement_timestamp(),
                   last_error = null, failure = null
             where m.seq = any (?::bigint[])
               and m.claim_token = ?
            """;

    static final String DELETE_DELIVERED = """
            delete
              from {message} m
             using unnest(?::bigint[], ?::bigint[]) as o (seq, token)
             where m.seq = any (?::bigint[])
               and m.seq = o.seq
               and m.claim_token = o.token
            """;

    static final String EXTEND = """
            update {message} m
               set claim_until = clock_timestamp() + ? * interval '1 microsecond'
              from unnest(?::bigint[], ?::bigint[]) as o (seq, token)
             where m.seq = any (?::bigint[])
               and m.seq = o.seq
               and m.claim_token = o.token
            """;

    // Beyond this, one statement for all is less work than one for each.
    private static final int MOST_TOKENS = 4;

    private final Transactions transactions;
    private final boolean deleteDelivered;

    PostgresOutcomes(Transactions transactions, boolean deleteDelivered) {
        this.transactions = transactions;
        this.deleteDelivered = deleteDelivered;
    }

    @Override
    public int settle(List<Settlement> outcomes) {
        Batch batch = Batch.of(outcomes, deleteDelivered);
        return transactions.autoCommitted("settle %d messages".formatted(outcomes.size()), session -> {
            Pipeline pipeline = new Pipeline(session, PostgresSql.FIXED_JOIN);
            int writes = addUpdates(pipeline, batch.updated());
            if (!batch.deleted().isEmpty()) {
                addClaims(pipeline, DELETE_DELIVERED, batch.deleted());
                writes++;
            }
            if (!batch.freed().isEmpty()) {
                PostgresHeldKeys.addPromotion(pipeline, batch.freed());
            }
            if (!batch.attempts().isEmpty()) {
                PostgresAttempts.addTo(pipeline, batch.attempts());
            }
            return pipeline.counts().stream()
                    .limit(writes)
                    .mapToInt(Integer::intValue)
                    .sum();
        });
    }

    @Override
    public int extend(List<ClaimedMessage> claims, Duration claimFor) {
        return transactions.autoCommitted("extend %d claims".formatted(claims.size()), session -> {
            Pipeline pipeline = new Pipeline(session, PostgresSql.FIXED_JOIN);
            addClaims(pipeline, EXTEND, claims, Micros.of(claimFor));
            return pipeline.counts().get(0);
        });
    }

    private static int addUpdates(Pipeline pipeline, List<Transition> transitions) throws SQLException {
        Map<Long, List<Transition>> delivered = transitions.stream()
                .filter(transition -> transition.status() == MessageStatus.DELIVERED)
                .collect(Collectors.groupingBy(Transition::token));
        boolean few = delivered.size() <= MOST_TOKENS;
        List<Transition> others = few
                ? transitions.stream()
                        .filter(transition -> transition.status() != MessageStatus.DELIVERED)
                        .toList()
                : transitions;
        int writes = 0;
        if (few) {
            for (Map.Entry<Long, List<Transition>> claim : delivered.entrySet()) {
                pipeline.add(
                        SETTLE_DELIVERED, pipeline.array("int8", claim.getValue(), Transition::seq), claim.getKey());
                writes++;
            }
        }
        if (!others.isEmpty()) {
            addUpdate(pipeline, others);
            writes++;
        }
        return writes;
    }

    private static void addUpdate(Pipeline pipeline, List<Transition> transitions) throws SQLException {
        Array seqs = pipeline.array("int8", transitions, Transition::seq);
        pipeline.add(
                SETTLE,
                seqs,
                pipeline.array("int8", transitions, Transition::token),
                pipeline.array("int2", transitions, Transition::statusCode),
                pipeline.array("int4", transitions, Transition::givenBack),
                pipeline.array("bool", transitions, Transition::holdsKey),
                pipeline.array("int2", transitions, Transition::dueCode),
                pipeline.array("int8", transitions, Transition::delayMicros),
                pipeline.array("text", transitions, Transition::error),
                pipeline.array("text", transitions, Transition::failure),
                pipeline.array("bool", transitions, Transition::trial),
                seqs);
    }

    private static void addClaims(Pipeline pipeline, String statement, List<ClaimedMessage> claims, Object... before)
            throws SQLException {
        Array seqs = pipeline.array("int8", claims, ClaimedMessage::seq);
        List<Object> values = new ArrayList<>(List.of(before));
        values.add(seqs);
        values.add(pipeline.array("int8", claims, ClaimedMessage::token));
        values.add(seqs);
        pipeline.add(statement, values.toArray());
    }
}
