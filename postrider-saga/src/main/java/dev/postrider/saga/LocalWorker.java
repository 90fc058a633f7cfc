package dev.postrider.saga;

import dev.postrider.database.SqlErrors;
import dev.postrider.jdbc.JdbcOutbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;

/** Runs local steps in a transaction that is open. Thread-safe. */
record LocalWorker(JdbcOutbox outbox, Flush flush) {

    /**
     * Does or undoes the step.
     *
     * @return the next context
     * @throws StepFailedException if the step threw something
     */
    <C> C run(Connection connection, StepAttempt<?> attempt, LocalWork<C> work, C context) throws StepFailedException {
        try (StepScope scope = new StepScope(connection, outbox, attempt)) {
            C result = act(work, attempt.direction(), context, scope);
            flush.run();
            scope.checkTime();
            return result;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StepFailedException(attempt, e);
        } catch (Exception | Error e) {
            throw new StepFailedException(attempt, e);
        }
    }

    private static <C> C act(LocalWork<C> work, Direction direction, C context, StepScope scope) throws Exception {
        if (direction == Direction.FORWARD) {
            return Objects.requireNonNull(work.action().run(context, scope), "The action returned no context");
        }
        Objects.requireNonNull(work.compensation(), "compensation").run(context, scope);
        return context;
    }

    /** Tells whether the database asks for the whole transaction again, however the step wrapped its error. */
    static boolean isPassing(Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof SQLException sql && (SqlErrors.retryable(sql) || SqlErrors.lockTimeout(sql))) {
                return true;
            }
        }
        return false;
    }
}
