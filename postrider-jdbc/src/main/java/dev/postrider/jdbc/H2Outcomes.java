package dev.postrider.jdbc;

import dev.postrider.database.Micros;
import dev.postrider.database.Session;
import dev.postrider.database.Transactions;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.List;

/** Settles row by row in one transaction. */
final class H2Outcomes implements Outcomes {

    private static final String SETTLE = """
            update {message}
               set status = ?,
                   attempts = attempts - ?,
                   lost_claims = case when cast(? as boolean) is null then 0 else lost_claims end,
                   on_trial = coalesce(cast(? as boolean), false),
                   claim_token = 0,
                   holds_key = message_key is not null and coalesce(?, holds_key),
                   due_at = case cast(? as int) when 0 then null when 1 then {later} when 2 then due_at else {infinity} end,
                   delivered_at = case when cast(? as int) = 2 then {now} end,
                   died_at = case when cast(? as int) = 3 then {now} end,
                   updated_at = {now},
                   last_error = case when cast(? as int) = 2 then null else coalesce(?, last_error) end,
                   failure = case when cast(? as int) = 2 then null when cast(? as varchar) is null then failure
                                  else ? end
             where seq = ?
               and claim_token = ?
            """;

    private static final String DELETE_DELIVERED = "delete from {message} where seq = ? and claim_token = ?";
    private static final String EXTEND = "update {message} set claim_until = {later} where seq = ? and claim_token = ?";

    private static final String ATTEMPT = """
            merge into {attempt} a
            using (values (cast(? as bigint), cast(? as bigint))) o (seq, token)
               on a.seq = o.seq and a.token = o.token
             when not matched then
                  insert (seq, token, message_id, attempt, relay, outcome, took_ms, failure, error)
                  values (o.seq, o.token, ?, ?, ?, ?, ?, ?, ?)
            """;

    private final Transactions transactions;
    private final boolean deleteDelivered;

    H2Outcomes(Transactions transactions, boolean deleteDelivered) {
        this.transactions = transactions;
        this.deleteDelivered = deleteDelivered;
    }

    @Override
    public int settle(List<Settlement> outcomes) {
        Batch batch = Batch.of(outcomes, deleteDelivered);
        return transactions.transacted("settle %d messages".formatted(outcomes.size()), session -> {
            int written = 0;
            try (PreparedStatement settle = session.prepare(SETTLE)) {
                for (Transition transition : batch.updated()) {
                    bind(settle, transition);
                    written += settle.executeUpdate();
                }
            }
            for (ClaimedMessage claimed : batch.deleted()) {
                written += session.update(DELETE_DELIVERED, claimed.seq(), claimed.token());
            }
            OutboxDialect.of(session.dialect()).heldKeys().promote(session, batch.freed());
            addAttempts(session, batch.attempts());
            return written;
        });
    }

    @Override
    public int extend(List<ClaimedMessage> claims, Duration claimFor) {
        return transactions.transacted("extend %d claims".formatted(claims.size()), session -> {
            int extended = 0;
            for (ClaimedMessage claimed : claims) {
                extended += session.update(EXTEND, Micros.of(claimFor), claimed.seq(), claimed.token());
            }
            return extended;
        });
    }

    private static void addAttempts(Session session, List<FailedAttempt> attempts) throws SQLException {
        if (attempts.isEmpty()) {
            return;
        }
        try (PreparedStatement add = session.prepare(ATTEMPT)) {
            for (FailedAttempt attempt : attempts) {
                add.setLong(1, attempt.seq());
                add.setLong(2, attempt.token());
                add.setObject(3, attempt.messageId());
                add.setInt(4, attempt.number());
                add.setString(5, attempt.relay());
                add.setInt(6, attempt.outcomeCode());
                add.setLong(7, attempt.tookMillis());
                add.setString(8, attempt.failure());
                add.setString(9, attempt.error());
                add.executeUpdate();
            }
        }
        AttemptRows.trim(session, attempts);
    }

    private static void bind(PreparedStatement settle, Transition transition) throws SQLException {
        settle.setInt(1, transition.statusCode());
        settle.setInt(2, transition.givenBack());
        settle.setObject(3, transition.trial(), Types.BOOLEAN);
        settle.setObject(4, transition.trial(), Types.BOOLEAN);
        settle.setObject(5, transition.holdsKey(), Types.BOOLEAN);
        settle.setInt(6, transition.dueCode());
        settle.setLong(7, transition.delayMicros());
        settle.setInt(8, transition.statusCode());
        settle.setInt(9, transition.statusCode());
        settle.setInt(10, transition.statusCode());
        settle.setString(11, transition.error());
        settle.setInt(12, transition.statusCode());
        settle.setString(13, transition.error());
        settle.setString(14, transition.failure());
        settle.setLong(15, transition.seq());
        settle.setLong(16, transition.token());
    }
}
