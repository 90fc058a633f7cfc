package dev.postrider.jdbc;

import dev.postrider.MessageStatus;
import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import dev.postrider.database.Transactions;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import java.sql.Array;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Settles deliveries, and all other outcomes in one statement; what has to follow goes in the same round trip and
 * transaction. A claim that did not only lead to deliveries is written into its rows first.
 */
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
                   delivered_at = null,
                   died_at = case when o.status = 3 then clock_timestamp() end,
                   updated_at = clock_timestamp(),
                   last_error = coalesce(o.error, m.last_error),
                   failure = case when o.error is null then m.failure else o.failure end
              from unnest(?::bigint[], ?::bigint[], ?::smallint[], ?::int[], ?::boolean[], ?::smallint[], ?::bigint[],
                          ?::text[], ?::text[], ?::boolean[])
                   as o (seq, token, status, given_back, holds_key, due, delay, error, failure, trial)
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

    private final Transactions transactions;
    private final boolean deleteDelivered;
    private final NotedClaims noted;

    PostgresOutcomes(Transactions transactions, boolean deleteDelivered, NotedClaims noted) {
        this.transactions = transactions;
        this.deleteDelivered = deleteDelivered;
        this.noted = noted;
    }

    @Override
    public int settle(List<Settlement> outcomes) {
        Batch batch = Batch.of(outcomes, deleteDelivered);
        return transactions.autoCommitted(
                "settle %d messages".formatted(outcomes.size()), session -> settle(session, batch));
    }

    private int settle(Session session, Batch batch) throws SQLException {
        List<Transition> others = batch.updated().stream()
                .filter(transition -> transition.status() != MessageStatus.DELIVERED)
                .toList();
        Set<Long> written = others.stream().map(Transition::token).collect(Collectors.toSet());
        Deliveries deliveries = Deliveries.of(batch, noted, written);
        Pipeline pipeline = new Pipeline(session, PostgresSql.FIXED_JOIN);
        if (!others.isEmpty()) {
            PostgresNotes.addFence(
                    pipeline, others.stream().map(Transition::claimed).toList());
            Set<Long> all = new TreeSet<>(written);
            all.addAll(deliveries.noted().keySet());
            PostgresNotes.addLock(pipeline, all);
            PostgresNotes.addClaims(pipeline, written);
            addUpdate(pipeline, others);
        }
        PostgresDelivered delivered = new PostgresDelivered(deleteDelivered, noted);
        delivered.add(pipeline, deliveries);
        if (!batch.freed().isEmpty()) {
            PostgresHeldKeys.addPromotion(pipeline, batch.freed());
        }
        if (!batch.attempts().isEmpty()) {
            PostgresAttempts.addTo(pipeline, batch.attempts());
        }
        Iterator<Integer> counts = pipeline.counts().iterator();
        int settled = 0;
        if (!others.isEmpty()) {
            counts.next();
            settled += counts.next();
            written.forEach(noted::remove);
        }
        return settled + delivered.settled(session, deliveries, counts);
    }

    @Override
    public int extend(List<ClaimedMessage> claims, Duration claimFor) {
        Set<Long> tokens = claims.stream().map(ClaimedMessage::token).collect(Collectors.toSet());
        return transactions.autoCommitted("extend %d claims".formatted(claims.size()), session -> {
            Pipeline pipeline = new Pipeline(session, PostgresSql.FIXED_JOIN);
            PostgresNotes.addFence(pipeline, claims);
            PostgresNotes.addClaims(pipeline, tokens);
            Array seqs = pipeline.array("int8", claims, ClaimedMessage::seq);
            pipeline.add(
                    EXTEND, Micros.of(claimFor), seqs, pipeline.array("int8", claims, ClaimedMessage::token), seqs);
            int held = pipeline.counts().get(1);
            tokens.forEach(noted::remove);
            return held;
        });
    }

    @Override
    public void writeIntoRows(Session session, ClaimedMessage claimed) throws SQLException {
        Pipeline pipeline = new Pipeline(session, PostgresSql.FIXED_JOIN);
        PostgresNotes.addFence(pipeline, List.of(claimed));
        PostgresNotes.addClaims(pipeline, List.of(claimed.token()));
        pipeline.counts();
        noted.remove(claimed.token());
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
}
