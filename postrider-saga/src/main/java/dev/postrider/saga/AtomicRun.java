package dev.postrider.saga;

import dev.postrider.database.FaultPoint;
import dev.postrider.database.OpenTransaction;
import dev.postrider.database.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs all steps of a saga in one transaction: everything they did is committed with their messages, or nothing is. */
final class AtomicRun<C> {

    private static final Logger log = LoggerFactory.getLogger(AtomicRun.class);
    private static final int ATTEMPTS = 4;

    private final EngineParts parts;
    private final Blueprint<C> blueprint;
    private final SagaHead head;
    private final C initial;
    private final String encoded;

    // What the steps returned last; the row of a saga without a codec does not say it.
    private @Nullable C made;

    AtomicRun(EngineParts parts, Blueprint<C> blueprint, UUID id, @Nullable String key, C initial) {
        this.parts = parts;
        this.blueprint = blueprint;
        this.head = SagaHead.of(
                id, blueprint.id(), key, SagaMode.ATOMIC, blueprint.codec().name());
        this.initial = initial;
        this.encoded = Contexts.encode(blueprint, initial);
    }

    /** Runs in a transaction of its own, again from the start if the database asks for it. */
    SagaResult<C> run() {
        for (int attempt = 1; ; attempt++) {
            try {
                Optional<SagaResult<C>> result = once(attempt);
                if (result.isPresent()) {
                    return result.get();
                }
                if (attempt == ATTEMPTS) {
                    throw vanished();
                }
            } catch (StepFailedException | SQLException e) {
                if (attempt == ATTEMPTS || !LocalWorker.isPassing(e)) {
                    return rolledBack(failure(e), e);
                }
                Transactions.pause("run saga " + head.id(), attempt, e);
            }
        }
    }

    /** Runs in the caller's transaction, which stays usable after a failure unless the database has ended it. */
    SagaResult<C> runIn(Connection connection) {
        try {
            if (connection.getAutoCommit()) {
                throw new SagaException(
                        "execute needs an open transaction: call setAutoCommit(false) on the connection");
            }
            return guarded(connection);
        } catch (SQLException e) {
            throw new SagaException("Could not run saga %s in the caller's transaction".formatted(head.id()), e);
        }
    }

    private SagaResult<C> guarded(Connection connection) throws SQLException {
        Savepoint entry = connection.setSavepoint();
        try {
            Optional<C> context = steps(connection, Flush.NONE, 1);
            return context.isPresent() ? completed(context.get()) : stored(connection);
        } catch (StepFailedException e) {
            undo(connection, entry, e);
            return new SagaResult.RolledBack<>(head.id(), initial, failure(e));
        } catch (SQLException | RuntimeException | Error e) {
            undo(connection, entry, e);
            throw e;
        }
    }

    // After a deadlock on MariaDB and MySQL there is no transaction left to go back in, and the caller must know.
    private static void undo(Connection connection, Savepoint entry, Throwable cause) throws SQLException {
        try {
            connection.rollback(entry);
        } catch (SQLException e) {
            e.addSuppressed(cause);
            throw e;
        }
    }

    private static SagaFailure failure(Exception error) {
        return error instanceof StepFailedException failed
                ? Reasons.thrown(failed.attempt().step().name(), failed.thrown())
                : Reasons.thrown(null, error);
    }

    /** Returns empty if everything has to be done again. */
    private Optional<SagaResult<C>> once(int attempt) throws StepFailedException, SQLException {
        Optional<C> context;
        Optional<SQLException> doubt = Optional.empty();
        try (OpenTransaction transaction = parts.store().begin(null)) {
            context = steps(transaction.session().connection(), transaction::flush, attempt);
            if (context.isPresent()) {
                FaultPoint.reached("saga.atomic.stepped");
                doubt = commit(transaction);
            }
        }
        if (doubt.isPresent()) {
            return settled(doubt.get(), attempt);
        }
        if (context.isEmpty()) {
            return stored();
        }
        FaultPoint.reached("saga.atomic.committed");
        parts.listener().ended(blueprint.name(), head.id(), SagaStatus.COMPLETED);
        return Optional.of(completed(context.get()));
    }

    private static Optional<SQLException> commit(OpenTransaction transaction) throws SQLException {
        try {
            transaction.commit();
            return Optional.empty();
        } catch (SQLException e) {
            if (LocalWorker.isPassing(e)) {
                throw e;
            }
            return Optional.of(e);
        }
    }

    /** Runs the steps; returns empty if the saga is there already. */
    private Optional<C> steps(Connection connection, Flush flush, int number) throws StepFailedException, SQLException {
        if (!parts.store().insert(connection, NewSaga.running(head, encoded, null))) {
            return Optional.empty();
        }
        C context = initial;
        StepAttempt<C> attempt = null;
        for (Step<C> step : blueprint.steps()) {
            attempt = new StepAttempt<>(head.id(), step, Direction.FORWARD, number, SagaIds.time(head.id()), false);
            context = new LocalWorker(parts.outbox(), flush).run(connection, attempt, step.local(), context);
        }
        finish(connection, context, Objects.requireNonNull(attempt));
        made = context;
        return Optional.of(context);
    }

    // The row was inserted in this transaction: if it cannot be found, neither can anything the steps did.
    private void finish(Connection connection, C context, StepAttempt<C> last)
            throws StepFailedException, SQLException {
        SagaUpdate change = SagaUpdate.to(SagaStatus.COMPLETED).withContext(Contexts.encode(blueprint, last, context));
        SQLException cause = null;
        try {
            if (parts.store().advanceInserted(connection, head.id(), change)) {
                return;
            }
        } catch (SQLException e) {
            if (LocalWorker.isPassing(e)) {
                throw e;
            }
            cause = e;
        }
        throw new StepFailedException(
                last, new DeadTransactionException(last.step().name(), cause));
    }

    // The same id again waits for whatever may still be under way in the server.
    private Optional<SagaResult<C>> settled(SQLException doubt, int attempt) {
        try {
            Optional<SagaResult<C>> stored = stored();
            if (stored.isPresent() || attempt < ATTEMPTS) {
                return stored;
            }
        } catch (RuntimeException e) {
            doubt.addSuppressed(e);
        }
        throw new SagaOutcomeUnknownException(head.id(), doubt);
    }

    private Optional<SagaResult<C>> stored() {
        Optional<SagaRow> row = parts.store().find(head.id());
        if (row.isPresent() && made != null) {
            return Optional.of(completed(made));
        }
        if (row.isEmpty() && head.businessKey() != null) {
            row = parts.store().findByKey(blueprint.name(), head.businessKey());
        }
        return row.map(each -> SagaResults.of(parts.store(), blueprint, each));
    }

    // Only the caller's own connection sees what the caller has not committed, and a pool of one has no other.
    private SagaResult<C> stored(Connection connection) throws SQLException {
        String key = Objects.requireNonNull(head.businessKey(), "businessKey");
        SagaRow row = parts.store().findByKey(connection, blueprint.name(), key).orElseThrow(this::vanished);
        return SagaResults.of(blueprint, row, parts.store().journal(connection, row.id()));
    }

    private SagaResult<C> completed(C context) {
        return SagaResults.completed(blueprint, head.id(), context);
    }

    private SagaException vanished() {
        return new SagaException("Saga %s could not be inserted nor found".formatted(head.id()));
    }

    private SagaResult<C> rolledBack(SagaFailure failure, Throwable cause) {
        log.debug("Saga {} of {} is rolled back", head.id(), blueprint.id(), cause);
        note(failure);
        parts.listener().ended(blueprint.name(), head.id(), SagaStatus.ROLLED_BACK);
        return new SagaResult.RolledBack<>(head.id(), initial, failure);
    }

    // For whoever looks at the tables; the business key stays free for the next try.
    private void note(SagaFailure failure) {
        SagaHead without = SagaHead.of(head.id(), head.definition(), null, SagaMode.ATOMIC, head.codec());
        try (OpenTransaction transaction = parts.store().begin(null)) {
            parts.store()
                    .insert(
                            transaction.session().connection(),
                            new NewSaga(without, SagaStatus.ROLLED_BACK, encoded, null, failure));
            transaction.commit();
        } catch (SQLException | RuntimeException e) {
            log.warn("Could not note that saga {} was rolled back", head.id(), e);
        }
    }
}
