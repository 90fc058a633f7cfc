package dev.postrider.saga;

import java.sql.Connection;
import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Instances of a saga with local steps only. Thread-safe. */
public final class LocalSaga<C> {

    private final EngineParts parts;
    private final Blueprint<C> blueprint;
    private final DurableSaga<C> durable;

    LocalSaga(EngineParts parts, Blueprint<C> blueprint, DurableSaga<C> durable) {
        this.parts = parts;
        this.blueprint = blueprint;
        this.durable = durable;
    }

    /**
     * Runs all steps in one transaction and commits: everything they did and enqueued, or nothing.
     *
     * @throws SagaOutcomeUnknownException if the connection broke during the commit and the database cannot be asked
     */
    public SagaResult<C> execute(C context) {
        return run(null, context).run();
    }

    /**
     * Does the same once for each business key: whoever comes later, or at the same time, gets the result of the first.
     * A saga that was rolled back leaves its key free.
     *
     * @throws SagaException if the saga has no codec, because the result of the first could not be read again
     */
    public SagaResult<C> execute(String key, C context) {
        return run(repeatable(key), context).run();
    }

    /**
     * Runs all steps in the caller's transaction, which the caller commits. Nothing is repeated. After a failure all is
     * undone to where the saga began.
     *
     * @throws SagaException if the database has ended the whole transaction; the caller must roll back
     */
    public SagaResult<C> execute(C context, Connection connection) {
        return run(null, context).runIn(connection);
    }

    /** Does the same once for each business key, also if the transaction has executed it itself. */
    public SagaResult<C> execute(String key, C context, Connection connection) {
        return run(repeatable(key), context).runIn(connection);
    }

    /** Starts the saga step by step, in the background; a saga with this key that is there already is found instead. */
    public SagaHandle<C> start(String key, C context) {
        return durable.start(key, context);
    }

    /** Starts it if, and only if, the caller's transaction commits. */
    public SagaHandle<C> start(String key, C context, Connection connection) {
        return durable.start(key, context, connection);
    }

    /** Finds the saga with this key, however it runs or ran. */
    public Optional<SagaHandle<C>> find(String key) {
        return durable.find(key);
    }

    private String repeatable(String key) {
        if (!blueprint.storesContext()) {
            throw new SagaException(
                    "Saga %s needs codec(..) to execute with a key: whoever comes later gets the stored result"
                            .formatted(blueprint.id()));
        }
        return SagaNames.key(key);
    }

    private AtomicRun<C> run(@Nullable String key, C context) {
        return new AtomicRun<>(parts, blueprint, SagaIds.next(Clock.systemUTC()), key, context);
    }
}
