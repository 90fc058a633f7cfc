package dev.postrider.saga;

/** A saga with steps outside the database. It can only be started, and runs step by step. */
public final class DurableSagaDefinition<C> extends SagaDefinition<C> {

    DurableSagaDefinition(Blueprint<C> blueprint) {
        super(blueprint);
    }
}
