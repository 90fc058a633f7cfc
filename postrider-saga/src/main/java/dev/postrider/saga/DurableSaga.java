package dev.postrider.saga;

import dev.postrider.OutboxException;
import dev.postrider.database.FaultPoint;
import dev.postrider.database.OpenTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;

/** Instances of a saga that runs step by step. Thread-safe. */
public final class DurableSaga<C> {

    private final EngineParts parts;
    private final Blueprint<C> blueprint;
    private final Runnable wake;

    DurableSaga(EngineParts parts, Blueprint<C> blueprint, Runnable wake) {
        this.parts = parts;
        this.blueprint = blueprint;
        this.wake = wake;
    }

    /** Starts the saga in the background; a saga with this key that is there already is found instead. */
    public SagaHandle<C> start(String key, C context) {
        NewSaga saga = saga(key, context);
        try (OpenTransaction transaction = parts.store().begin(null)) {
            boolean inserted = parts.store().insert(transaction.session().connection(), saga);
            if (inserted) {
                FaultPoint.reached("saga.inserted");
                transaction.commit();
                wake.run();
                return handle(saga.head().id());
            }
        } catch (SQLException e) {
            throw new SagaException("Could not start saga %s".formatted(blueprint.id()), e);
        }
        return find(key).orElseThrow(() -> lost(key));
    }

    /** Starts it if, and only if, the caller's transaction commits. */
    public SagaHandle<C> start(String key, C context, Connection connection) {
        NewSaga saga = saga(key, context);
        try {
            if (connection.getAutoCommit()) {
                throw new SagaException("start needs an open transaction: call setAutoCommit(false) on the connection");
            }
            if (parts.store().insert(connection, saga)) {
                return handle(saga.head().id());
            }
            return parts.store()
                    .findByKey(connection, blueprint.name(), SagaNames.key(key))
                    .map(row -> handle(row.id()))
                    .orElseThrow(() -> lost(key));
        } catch (SQLException e) {
            throw new SagaException("Could not start saga %s".formatted(blueprint.id()), e);
        }
    }

    /** Finds the saga with this key. */
    public Optional<SagaHandle<C>> find(String key) {
        return parts.store().findByKey(blueprint.name(), SagaNames.key(key)).map(row -> handle(row.id()));
    }

    private NewSaga saga(String key, C context) {
        if (blueprint.atomicOnly()) {
            throw new SagaException("Saga %s is atomicOnly() and cannot be started".formatted(blueprint.id()));
        }
        SagaHead head = SagaHead.of(
                SagaIds.next(Clock.systemUTC()),
                blueprint.id(),
                SagaNames.key(key),
                SagaMode.DURABLE,
                blueprint.codec().name());
        return NewSaga.running(head, Contexts.encode(blueprint, context), blueprint.deadline());
    }

    private SagaHandle<C> handle(UUID id) {
        return new SagaHandle<>(parts, blueprint, id);
    }

    private OutboxException lost(String key) {
        return new SagaException(
                "Saga %s with key '%s' could not be inserted nor found".formatted(blueprint.id(), key));
    }
}
