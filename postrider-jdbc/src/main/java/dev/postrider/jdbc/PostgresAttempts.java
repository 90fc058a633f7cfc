package dev.postrider.jdbc;

import java.sql.Array;
import java.sql.SQLException;
import java.util.List;

/** Writes the history of attempts in the round trip and the transaction of the outcomes. */
final class PostgresAttempts {

    private static final String INSERT = """
            insert into {attempt} (seq, token, message_id, attempt, relay, outcome, took_ms, failure, error)
            select o.seq, o.token, o.message_id, o.attempt, o.relay, o.outcome, o.took_ms, o.failure, o.error
              from unnest(?::bigint[], ?::bigint[], ?::uuid[], ?::int[], ?::text[], ?::smallint[], ?::bigint[],
                          ?::text[], ?::text[])
                   as o (seq, token, message_id, attempt, relay, outcome, took_ms, failure, error)
                on conflict do nothing
            """;

    static final String TRIM = """
            delete
              from {attempt} a
             using (select s.seq, s.token,
                           row_number() over (partition by s.seq order by s.ended_at desc, s.attempt desc) as place
                      from {attempt} s
                     where s.seq = any (?::bigint[])) old
             where a.seq = any (?::bigint[])
               and a.seq = old.seq
               and a.token = old.token
               and old.place >\s""" + AttemptRows.KEPT;

    private PostgresAttempts() {}

    static void addTo(Pipeline pipeline, List<FailedAttempt> attempts) throws SQLException {
        pipeline.add(
                INSERT,
                pipeline.array("int8", attempts, FailedAttempt::seq),
                pipeline.array("int8", attempts, FailedAttempt::token),
                pipeline.array("uuid", attempts, FailedAttempt::messageId),
                pipeline.array("int4", attempts, FailedAttempt::number),
                pipeline.array("text", attempts, FailedAttempt::relay),
                pipeline.array("int2", attempts, FailedAttempt::outcomeCode),
                pipeline.array("int8", attempts, FailedAttempt::tookMillis),
                pipeline.array("text", attempts, FailedAttempt::failure),
                pipeline.array("text", attempts, FailedAttempt::error));
        List<Long> full = AttemptRows.candidates(attempts);
        if (!full.isEmpty()) {
            Array seqs = pipeline.array("int8", full, seq -> seq);
            pipeline.add(TRIM, seqs, seqs);
        }
    }
}
