package dev.postrider.saga;

/** A saga of local steps only. It may execute in one transaction, or be started and run step by step. */
public final class LocalSagaDefinition<C> extends SagaDefinition<C> {

    LocalSagaDefinition(Blueprint<C> blueprint) {
        super(blueprint);
    }
}
