package dev.postrider.inbox;

import dev.postrider.OutboxException;
import dev.postrider.database.SqlErrors;
import java.sql.SQLException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A transaction that did not commit, and where it broke. */
final class Broken extends Exception {

    private static final int MAX_CAUSES = 50;

    /** Where it broke. */
    enum Phase {
        CLAIM,
        HANDLER,
        CHECK,
        COMMIT
    }

    private final Phase phase;
    private final Throwable error;

    Broken(Phase phase, Throwable error) {
        super(error);
        this.phase = phase;
        this.error = error;
    }

    /** Says that the transaction of a handler was not there any more when it should have been committed. */
    static Broken transactionLost(@Nullable SQLException cause) {
        return new Broken(
                Phase.CHECK,
                new OutboxException("The transaction of the handler has ended, and with it the mark", cause));
    }

    Phase phase() {
        return phase;
    }

    Throwable error() {
        return error;
    }

    /** Tells whether the same transaction may succeed when it is repeated. */
    boolean conflict() {
        return matches(SqlErrors::retryable) || (phase == Phase.HANDLER && matches(SqlErrors::lockTimeout));
    }

    /** Tells whether somebody else held the mark for longer than is waited. */
    boolean busy() {
        return phase == Phase.CLAIM && matches(SqlErrors::lockTimeout);
    }

    /** Tells whether the database refused the message itself, as it will each time it comes. */
    boolean unstorable() {
        return phase == Phase.CLAIM && matches(SqlErrors::data);
    }

    /** Tells whether the database refused a value, and not the statement or the moment. */
    static boolean refusedValue(OutboxException error) {
        return error.getCause() instanceof SQLException cause && SqlErrors.data(cause);
    }

    boolean connectionLost() {
        return matches(SqlErrors::connectionLost);
    }

    /** Tells whether somebody wants the thread to stop, which says nothing about the message. */
    boolean interrupted() {
        return Thread.currentThread().isInterrupted() || find(InterruptedException.class) != null;
    }

    private boolean matches(Predicate<SQLException> meaning) {
        SQLException sql = find(SQLException.class);
        return sql != null && meaning.test(sql);
    }

    private <T extends Throwable> @Nullable T find(Class<T> type) {
        Throwable each = error;
        for (int depth = 0; each != null && depth < MAX_CAUSES; depth++) {
            if (type.isInstance(each)) {
                return type.cast(each);
            }
            each = each.getCause();
        }
        return null;
    }
}
