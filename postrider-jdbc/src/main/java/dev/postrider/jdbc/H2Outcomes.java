package dev.postrider.jdbc;

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
                   lost_claims = 0,
                   on_trial = false,
                   claim_token = null,
                   holds_key = message_key is not null and coalesce(?, holds_key),
                   due_at = case cast(? as int) when 0 then null when 1 then {later} when 2 then due_at else {infinity} end,
                   delivered_at = case when cast(? as int) = 2 then {now} end,
                   died_at = case when cast(? as int) = 3 then {now} end,
                   updated_at = {now},
                   last_error = case when cast(? as int) = 2 then null else coalesce(?, last_error) end
             where seq = ?
               and claim_token = ?
            """;

    private static final String DELETE_DELIVERED = "delete from {message} where seq = ? and claim_token = ?";
    private static final String EXTEND = "update {message} set claim_until = {later} where seq = ? and claim_token = ?";

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
            session.dialect().heldKeys().promote(session, batch.freed());
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

    private static void bind(PreparedStatement settle, Transition transition) throws SQLException {
        settle.setInt(1, transition.statusCode());
        settle.setInt(2, transition.givenBack());
        settle.setObject(3, transition.holdsKey(), Types.BOOLEAN);
        settle.setInt(4, transition.dueCode());
        settle.setLong(5, transition.delayMicros());
        settle.setInt(6, transition.statusCode());
        settle.setInt(7, transition.statusCode());
        settle.setInt(8, transition.statusCode());
        settle.setString(9, transition.error());
        settle.setLong(10, transition.seq());
        settle.setLong(11, transition.token());
    }
}
