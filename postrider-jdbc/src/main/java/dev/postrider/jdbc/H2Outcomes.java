package dev.postrider.jdbc;

import dev.postrider.database.Session;
import dev.postrider.database.Transactions;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Settles row by row in one transaction. */
final class H2Outcomes implements Outcomes {

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
    public Settled settle(List<Settlement> outcomes) {
        return transactions.transacted("settle %d messages".formatted(outcomes.size()), session -> {
            int written = 0;
            List<Settlement> locked = new ArrayList<>();
            for (SettledTogether group : SettledTogether.groups(outcomes)) {
                Settled settled = RowWiseSettlement.settle(session, group.outcomes(), deleteDelivered);
                written += settled.written();
                locked.addAll(settled.locked());
                OutboxDialect.of(session.dialect()).heldKeys().promote(session, Batch.freed(group.outcomes()));
            }
            addAttempts(session, FailedAttempt.all(outcomes));
            return new Settled(written, locked);
        });
    }

    @Override
    public boolean beginTrial(ClaimedMessage claimed) {
        return transactions.transacted("begin a trial", session -> RowWiseSettlement.beginTrial(session, claimed));
    }

    private static void addAttempts(Session session, List<FailedAttempt> attempts) throws SQLException {
        for (FailedAttempt attempt : attempts) {
            session.update(
                    ATTEMPT,
                    attempt.seq(),
                    attempt.token(),
                    attempt.messageId(),
                    attempt.number(),
                    attempt.relay(),
                    attempt.outcomeCode(),
                    attempt.tookMillis(),
                    attempt.failure(),
                    attempt.error());
        }
        AttemptRows.trim(session, attempts);
    }
}
