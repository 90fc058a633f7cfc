package dev.postrider.saga;

import dev.postrider.database.FaultPoint;
import dev.postrider.database.OpenTransaction;
import dev.postrider.database.Transactions;
import dev.postrider.spi.ErrorText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Takes a claimed saga further. Each decision is made from the journal under the lock of the saga's row, and carried
 * out in the same transaction; only an external call happens between two of them.
 */
final class DurableRun<C> {

    private static final int ATTEMPTS = 4;
    private static final int CLAIMS_WITHOUT_PROGRESS = 10;

    private final EngineParts parts;
    private final Blueprint<C> blueprint;
    private final ClaimedSaga claimed;
    private final Duration claimFor;
    private final Stop stop;

    // What replies have done, and this transaction has to tell once it is committed.
    private List<StepReport> unreported = List.of();

    DurableRun(EngineParts parts, Blueprint<C> blueprint, ClaimedSaga claimed, Duration claimFor, Stop stop) {
        this.parts = parts;
        this.blueprint = blueprint;
        this.claimed = claimed;
        this.claimFor = claimFor;
        this.stop = stop;
    }

    /** Does one thing; returns whether there is more to do at once. */
    boolean proceed() {
        try {
            Turn<C> turn = begin();
            return turn.call() == null ? turn.goesOn() : call(turn.call());
        } catch (StepFailedException e) {
            return stop.interrupted() ? forget(e) : fail(e);
        }
    }

    /** Does what is next, again if the database asks for it: nothing of it has happened outside the database. */
    private Turn<C> begin() throws StepFailedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return once();
            } catch (StepFailedException | SQLException e) {
                if (stop.interrupted()) {
                    return Turn.ended(forget(e));
                }
                if (attempt == ATTEMPTS || !LocalWorker.isPassing(e)) {
                    throw failure(e);
                }
                Transactions.pause("run saga " + claimed.id(), attempt, e);
            }
        }
    }

    private StepFailedException failure(Exception error) {
        if (error instanceof StepFailedException failed) {
            return failed;
        }
        throw new SagaException("Could not run saga " + claimed.id(), error);
    }

    // The transaction of a local step is rolled back with all its traces; a call may have happened all the same.
    private boolean forget(Exception interrupted) {
        if (interrupted instanceof StepFailedException failed
                && failed.attempt().step().kind() == StepKind.EXTERNAL) {
            StepAttempt<?> attempt = failed.attempt();
            Uninterrupted.run(() -> parts.store()
                    .record(claimed.id(), claimed.epoch(), attempt.uncounted(), SagaUpdate.to(attempt.underWay())));
        }
        return true;
    }

    /** Calls once, however often its outcome has to be written. */
    private boolean call(ArmedCall<C> call) throws StepFailedException {
        FaultPoint.reached("saga.external.started");
        Optional<C> context = call.run();
        FaultPoint.reached("saga.external.called");
        try {
            if (context.isEmpty()) {
                return outlast(() -> giveUp(call.attempt()));
            }
            String text = Contexts.encode(blueprint, call.attempt(), context.get());
            return outlast(() -> finish(call.attempt(), text));
        } catch (SQLException e) {
            throw new StepFailedException(call.attempt(), e);
        }
    }

    private boolean outlast(Recording recording) throws SQLException {
        return Uninterrupted.run(() -> recording.outlast(claimed.id()));
    }

    private Turn<C> once() throws StepFailedException, SQLException {
        try (OpenTransaction transaction = parts.store().begin(null)) {
            Optional<Progress<C>> fenced = fence(transaction);
            if (fenced.isEmpty()) {
                return Turn.ended(false);
            }
            Progress<C> progress = fenced.get();
            Next<C> next = decide(progress);
            if (next.step() == null) {
                return Turn.ended(move(transaction, progress, next));
            }
            C context = Contexts.decode(blueprint, progress.row());
            StepAttempt<C> attempt = StepAttempt.of(progress, next);
            if (attempt.step().kind() != StepKind.EXTERNAL) {
                return Turn.ended(settle(transaction, attempt, act(transaction, progress, attempt, context)));
            }
            arm(transaction, progress, attempt);
            return new Turn<>(true, ArmedCall.of(progress, attempt, context));
        }
    }

    private Optional<Progress<C>> fence(OpenTransaction transaction) throws SQLException {
        Connection connection = transaction.session().connection();
        Optional<SagaRow> row = parts.store().fence(connection, claimed.id(), claimed.epoch(), claimFor);
        if (row.isEmpty()) {
            return Optional.empty();
        }
        List<JournalEntry> journal = parts.store().journal(connection, claimed.id());
        unreported = journal.stream().anyMatch(each -> each.commandId() != null)
                ? parts.store().takeUnreported(connection, claimed.id())
                : List.of();
        return Optional.of(new Progress<>(blueprint, row.get(), journal));
    }

    private Next<C> decide(Progress<C> progress) {
        int claims = progress.row().claim().count();
        if (claims > CLAIMS_WITHOUT_PROGRESS) {
            return Next.stuck(new SagaFailure(
                    null, Reasons.NO_PROGRESS, "It was claimed %d times and got no further".formatted(claims)));
        }
        try {
            Contexts.decode(blueprint, progress.row());
        } catch (SagaException e) {
            return Next.stuck(
                    new SagaFailure(null, Reasons.CODEC, ErrorText.of(e.getCause() == null ? e : e.getCause())));
        }
        return Decider.next(progress);
    }

    /** Goes where no step is involved. */
    private boolean move(OpenTransaction transaction, Progress<C> progress, Next<C> next) throws SQLException {
        if (!parts.store().advance(transaction.session().connection(), progress.row(), next.change())) {
            return false;
        }
        FaultPoint.reached("saga.moved");
        transaction.commit();
        reportReplies();
        ended(next);
        return next.goesOn();
    }

    private StepSettlement<C> act(OpenTransaction transaction, Progress<C> progress, StepAttempt<C> attempt, C context)
            throws StepFailedException, SQLException {
        Connection connection = transaction.session().connection();
        if (attempt.step().kind() == StepKind.REQUEST) {
            StepEntry entry = new Commands(parts.outbox()).enqueue(connection, progress, attempt, context);
            FaultPoint.reached("saga.request.enqueued");
            return StepSettlement.of(progress, entry);
        }
        C result = new LocalWorker(parts.outbox(), transaction::flush)
                .run(connection, attempt, attempt.step().local(), context);
        FaultPoint.reached("saga.step.acted");
        return StepSettlement.of(progress, attempt.entry(StepStatus.DONE))
                .with(Contexts.encode(blueprint, attempt, result));
    }

    // The fence began this transaction: if the saga cannot be advanced, nothing the step did is in it any more.
    private boolean settle(OpenTransaction transaction, StepAttempt<C> attempt, StepSettlement<C> settlement)
            throws StepFailedException, SQLException {
        Next<C> next = settlement.next();
        boolean alive;
        SQLException cause = null;
        try {
            alive = write(transaction, settlement, next);
        } catch (SQLException e) {
            if (LocalWorker.isPassing(e)) {
                throw e;
            }
            alive = false;
            cause = e;
        }
        if (!alive) {
            throw new StepFailedException(
                    attempt, new DeadTransactionException(attempt.step().name(), cause));
        }
        commit(transaction, settlement, next);
        return next.goesOn();
    }

    /** Writes down that the call may happen from now on, so that it is undone if the saga turns back. */
    private void arm(OpenTransaction transaction, Progress<C> progress, StepAttempt<C> attempt) throws SQLException {
        Connection connection = transaction.session().connection();
        parts.store().write(connection, attempt.entry(StepStatus.STARTED));
        if (!parts.store().advance(connection, progress.row(), SagaUpdate.to(attempt.underWay()))) {
            throw new SQLException("The transaction has ended");
        }
        FaultPoint.reached("saga.external.arming");
        transaction.commit();
        reportReplies();
    }

    private boolean finish(StepAttempt<C> attempt, String context) throws SQLException {
        try (OpenTransaction transaction = parts.store().begin(null)) {
            Optional<Progress<C>> fenced = fence(transaction);
            if (fenced.isEmpty()) {
                return false;
            }
            StepSettlement<C> settlement = StepSettlement.of(fenced.get(), attempt.entry(StepStatus.DONE))
                    .with(context);
            return isOpen(fenced.get(), attempt) ? written(transaction, settlement) : told(settlement);
        }
    }

    // An earlier try committed and only the answer was lost; since then the context may have changed.
    private static <C> boolean isOpen(Progress<C> progress, StepAttempt<C> attempt) {
        return progress.entry(attempt.step(), attempt.direction())
                .filter(entry -> !entry.status().finished())
                .isPresent();
    }

    private boolean told(StepSettlement<C> settlement) {
        parts.listener().step(blueprint.name(), claimed.id(), settlement.report());
        Next<C> next = Decider.next(settlement.progress());
        ended(next);
        return next.goesOn();
    }

    /** Ends the attempts of a call that did not happen. */
    private boolean giveUp(StepAttempt<C> attempt) throws SQLException {
        try (OpenTransaction transaction = parts.store().begin(null)) {
            Optional<Progress<C>> fenced = fence(transaction);
            return fenced.isPresent() && written(transaction, Failures.exhausted(fenced.get(), attempt));
        }
    }

    private boolean fail(StepFailedException failed) {
        FaultPoint.reached("saga.step.failed");
        try {
            return outlast(() -> {
                try (OpenTransaction transaction = parts.store().begin(null)) {
                    Optional<Progress<C>> fenced = fence(transaction);
                    return fenced.isPresent() && written(transaction, Failures.settlement(fenced.get(), failed));
                }
            });
        } catch (SQLException e) {
            e.addSuppressed(failed);
            throw new SagaException("Could not write down what failed in saga " + claimed.id(), e);
        }
    }

    private boolean written(OpenTransaction transaction, StepSettlement<C> settlement) throws SQLException {
        Next<C> next = settlement.next();
        if (!write(transaction, settlement, next)) {
            return false;
        }
        commit(transaction, settlement, next);
        return next.goesOn();
    }

    private boolean write(OpenTransaction transaction, StepSettlement<C> settlement, Next<C> next) throws SQLException {
        return settlement.write(parts.store(), transaction.session().connection(), settlement.change(next));
    }

    private void commit(OpenTransaction transaction, StepSettlement<C> settlement, Next<C> next) throws SQLException {
        FaultPoint.reached("saga.step.journaled");
        transaction.commit();
        FaultPoint.reached("saga.step.committed");
        reportReplies();
        parts.listener().step(blueprint.name(), claimed.id(), settlement.report());
        ended(next);
    }

    private void reportReplies() {
        unreported.forEach(each -> parts.listener().step(blueprint.name(), claimed.id(), each));
        unreported = List.of();
    }

    private void ended(Next<C> next) {
        if (!next.status().active()) {
            parts.listener().ended(blueprint.name(), claimed.id(), next.status());
        }
    }
}
