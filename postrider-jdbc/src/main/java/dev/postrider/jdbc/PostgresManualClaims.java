package dev.postrider.jdbc;

import dev.postrider.database.Micros;
import dev.postrider.database.Transactions;
import dev.postrider.jdbc.row.MessageRows;
import dev.postrider.jdbc.row.RowKeys;
import dev.postrider.spi.ClaimedMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Leases rows in one statement that is sent together with its commit: a client that freezes leaves no lock behind. */
final class PostgresManualClaims implements ManualClaims {

    static final NamedSql CLAIM = NamedSql.of(PostgresSql.BEGIN + PostgresSql.FIXED_JOIN + """
            with locked as materialized (
                select m.seq, m.attempts >= coalesce(m.max_attempts, :max_attempts) as is_exhausted
                  from {message} m
                 where m.namespace = coalesce(:namespace::text, m.namespace)
                   and ((m.status = 0
                         and (m.due_at is null or m.due_at <= statement_timestamp())
                         and m.attempts < coalesce(m.max_attempts, :max_attempts)
                         and (m.seq, m.attempts) not in (select f.seq, f.attempts
                                                           from {claim} c
                                                           join {relay} r on r.id = c.relay
                                                          cross join unnest(c.seqs, c.attempts) as f (seq, attempts)
                                                          where r.until > statement_timestamp()))
                        or (m.status = 1 and m.claim_until < statement_timestamp()))
                 order by m.seq
                 limit :size
                   for update of m skip locked
            ), died as (
                update {message} m
                   set status = 3, died_at = statement_timestamp(), due_at = null, claim_token = null,
                       last_error = :error, failure = :error, updated_at = statement_timestamp()
                 where m.seq = any (array(select l.seq from locked l where l.is_exhausted))
            ), taken as (
                update {message} m
                   set status = 1, attempts = m.attempts + 1,
                       lost_claims = m.lost_claims + case when m.status = 1 then 1 else 0 end,
                       claim_token = :token, claim_epoch = null, claimed_by = :owner,
                       claim_until = clock_timestamp() + :micros * interval '1 microsecond',
                       updated_at = statement_timestamp()
                 where m.seq = any (array(select l.seq from locked l where not l.is_exhausted))
                returning
            """
            + MessageRows.CLAIMED.indent(10) + """
            )
            select m.*
              from taken m
             order by m.seq
            """ + PostgresSql.COMMIT);

    private final Transactions transactions;
    private final RowKeys keys;

    PostgresManualClaims(Transactions transactions, RowKeys keys) {
        this.transactions = transactions;
        this.keys = keys;
    }

    @Override
    public List<ClaimedMessage> claim(UnshardedRequest request) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("owner", request.owner());
        values.put("size", request.limit());
        values.put("max_attempts", request.maxAttempts());
        values.put("namespace", request.namespace());
        values.put("token", request.token());
        values.put("micros", Micros.of(request.claimFor()));
        values.put("error", UnshardedRequest.EXPIRED);
        return transactions.autoCommitted("claim messages", session -> {
            try (PreparedStatement claim = session.prepare(CLAIM.text())) {
                CLAIM.bind(claim, values);
                MessageRows reader = new MessageRows(session.dialect(), keys);
                List<ClaimedMessage> messages = new ArrayList<>();
                try (ResultSet rows = StatementResults.after(2, claim)) {
                    while (rows.next()) {
                        messages.add(reader.claimed(rows, request.token(), request.owner()));
                    }
                }
                return messages;
            }
        });
    }
}
