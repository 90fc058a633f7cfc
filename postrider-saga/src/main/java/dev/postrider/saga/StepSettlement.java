package dev.postrider.saga;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what became of a step and where the saga goes from there, in the transaction in which it is locked.
 *
 * @param progress how far it had come
 * @param context what the step made of the context, encoded; null if nothing
 * @param failure what failed; null if nothing did
 * @param isFinal whether no repetition can help
 */
record StepSettlement<C>(
        Progress<C> progress,
        StepEntry entry,
        @Nullable String context,
        @Nullable SagaFailure failure,
        boolean isFinal) {

    static <C> StepSettlement<C> of(Progress<C> progress, StepEntry entry) {
        return new StepSettlement<>(progress, entry, null, null, false);
    }

    StepSettlement<C> with(String next) {
        return new StepSettlement<>(progress, entry, next, failure, isFinal);
    }

    StepSettlement<C> failed(SagaFailure why, boolean forGood) {
        return new StepSettlement<>(progress, entry, context, why, forGood);
    }

    /** Returns what is next. */
    Next<C> next() {
        Progress<C> after = progress.with(entry);
        if (passesPivot()) {
            after = after.passingPivot();
        }
        if (failure != null && isFinal) {
            return Decider.afterFinalFailure(after, failure);
        }
        Next<C> next = Decider.next(after);
        return failure == null || entry.direction() == Direction.COMPENSATION ? next : next.because(failure);
    }

    /** Returns how the saga gets there. */
    SagaUpdate change(Next<C> next) {
        SagaUpdate change = next.change();
        if (passesPivot()) {
            change = change.passingPivot();
        }
        return context == null ? change : change.withContext(context);
    }

    /** Writes the entry and advances the saga; false means that the transaction does not hold it any more. */
    boolean write(SagaStore store, Connection connection, SagaUpdate change) throws SQLException {
        store.write(connection, entry);
        return store.advance(connection, progress.row(), change);
    }

    StepReport report() {
        return new StepReport(entry.step(), entry.direction(), entry.status(), entry.attempts(), entry.error());
    }

    private boolean passesPivot() {
        return entry.direction() == Direction.FORWARD
                && entry.status() == StepStatus.DONE
                && progress.blueprint().step(entry.step()).orElseThrow().role() == StepRole.PIVOT;
    }
}
