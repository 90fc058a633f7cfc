package dev.postrider.inbox;

import dev.postrider.database.OpenTransaction;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row for each message, as {@link IdMarks}, in a transaction of the inbox's own on PostgreSQL: the claim begins the
 * transaction and the check commits it, so that neither costs a round trip of its own.
 */
final class JointMarks {

    // How long to wait is told by the statement that waits. The note of what is claimed ends with the transaction.
    private static final String NOTED = """
               and set_config('lock_timeout', ?, true) || set_config('postrider.claimed', ?, true) is not null
            on conflict do nothing
            """;

    private static final String CLAIM = IdMarks.CLAIM + NOTED;
    private static final String CLAIM_OF_KEY = IdMarks.CLAIM_OF_KEY + NOTED;

    // Without the note the first statement divides by zero, and what follows is not done.
    private static final String CHECK = """
            select 1 / (current_setting('postrider.claimed', true) is not distinct from ?)::int;
            delete from {failure} where consumer = ? and message_id = ?
            """;

    private static final String DIVISION_BY_ZERO = "22012";
    private static final String ABORTED = "25P02";

    private final InboxSettings settings;

    JointMarks(InboxSettings settings) {
        this.settings = settings;
    }

    /** Begins the transaction and makes the mark, as {@link Marks#claim}. */
    boolean claim(OpenTransaction transaction, Incoming incoming) throws SQLException {
        List<@Nullable Object> values = new IdMarks(settings).values(incoming);
        values.add(settings.lockWait().toMillis() + "ms");
        values.add(incoming.id());
        String claim = settings.keepsOrder(incoming) ? CLAIM_OF_KEY : CLAIM;
        return transaction.beginWith(claim, values.toArray()) == 1;
    }

    /** Commits if the transaction is still the one that made the mark. */
    void commit(OpenTransaction transaction, Incoming incoming) throws Broken {
        try {
            transaction.commitWith(CHECK, incoming.id(), incoming.consumer(), incoming.id());
        } catch (SQLException e) {
            throw broken(e);
        }
    }

    private static Broken broken(SQLException error) {
        return switch (String.valueOf(error.getSQLState())) {
            case DIVISION_BY_ZERO -> Broken.transactionLost(error);
            case ABORTED -> new Broken(Broken.Phase.CHECK, error);
            default -> new Broken(Broken.Phase.COMMIT, error);
        };
    }
}
