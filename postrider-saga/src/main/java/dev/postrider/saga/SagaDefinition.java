package dev.postrider.saga;

/**
 * A saga as it was defined: its steps by name, their order, and what undoes them. Immutable and thread-safe.
 *
 * @param <C> the context its steps hand on
 */
public abstract sealed class SagaDefinition<C> permits LocalSagaDefinition, DurableSagaDefinition {

    private final Blueprint<C> blueprint;

    SagaDefinition(Blueprint<C> blueprint) {
        this.blueprint = blueprint;
    }

    final Blueprint<C> blueprint() {
        return blueprint;
    }

    /** The name under which instances are stored. */
    public final String name() {
        return blueprint.name();
    }

    /** The version under which instances are stored. */
    public final int version() {
        return blueprint.version();
    }

    /**
     * Returns the SHA-256 of names, kinds, order and pivot. One version has one structure: an engine refuses to start
     * with another one under a version that is known already.
     */
    public final String structureHash() {
        return StructureHash.of(blueprint);
    }

    /** Draws the definition as a Mermaid flow chart. */
    public final String mermaid() {
        return Mermaid.of(blueprint);
    }

    @Override
    public final String toString() {
        return "%s v%d".formatted(name(), version());
    }
}
