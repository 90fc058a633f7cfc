package dev.postrider.jdbc;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the history of attempts in the round trip and the transaction of the outcomes. */
final class PostgresAttempts {

    static final NamedSql INSERT = NamedSql.of("""
            insert into {attempt} (seq, token, message_id, attempt, relay, outcome, took_ms, failure, error)
            select o.seq, o.token, o.message_id, o.attempt, o.relay, o.outcome, o.took_ms, o.failure, o.error
              from unnest(:seqs::bigint[], :tokens::bigint[], :ids::uuid[], :attempts::int[], :relays::text[],
                          :outcomes::smallint[], :took::bigint[], :failures::text[], :errors::text[])
                   as o (seq, token, message_id, attempt, relay, outcome, took_ms, failure, error)
                on conflict do nothing
            """);

    static final NamedSql TRIM = NamedSql.of("""
            delete
              from {attempt} a
             using (select s.seq, s.token,
                           row_number() over (partition by s.seq order by s.ended_at desc, s.attempt desc) as place
                      from {attempt} s
                     where s.seq = any (:seqs::bigint[])) old
             where a.seq = any (:seqs::bigint[])
               and a.seq = old.seq
               and a.token = old.token
               and old.place >\s""" + AttemptRows.KEPT);

    private PostgresAttempts() {}

    static void addTo(Pipeline pipeline, List<FailedAttempt> attempts) throws SQLException {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("seqs", pipeline.array("int8", attempts, FailedAttempt::seq));
        values.put("tokens", pipeline.array("int8", attempts, FailedAttempt::token));
        values.put("ids", pipeline.array("uuid", attempts, FailedAttempt::messageId));
        values.put("attempts", pipeline.array("int4", attempts, FailedAttempt::number));
        values.put("relays", pipeline.array("text", attempts, FailedAttempt::relay));
        values.put("outcomes", pipeline.array("int2", attempts, FailedAttempt::outcomeCode));
        values.put("took", pipeline.array("int8", attempts, FailedAttempt::tookMillis));
        values.put("failures", pipeline.array("text", attempts, FailedAttempt::failure));
        values.put("errors", pipeline.array("text", attempts, FailedAttempt::error));
        pipeline.add(INSERT, values);
        List<Long> full = AttemptRows.candidates(attempts);
        if (!full.isEmpty()) {
            pipeline.add(TRIM, Map.of("seqs", pipeline.array("int8", full, seq -> seq)));
        }
    }
}
