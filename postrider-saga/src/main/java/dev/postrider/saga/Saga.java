package dev.postrider.saga;

/** Where the definition of a saga begins. */
public final class Saga {

    private Saga() {}

    /**
     * Starts the definition of the saga {@code name}, whose steps hand on a {@code contextType}: an immutable value,
     * best a record. As long as all its steps are local the saga may run in one transaction as well as step by step.
     */
    public static <C> LocalSagaBuilder<C> define(String name, Class<C> contextType) {
        return new LocalSagaBuilder<>(new SagaParts<>(name, contextType));
    }
}
