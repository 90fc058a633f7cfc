package dev.postrider.saga;

/**
 * A saga as it was defined: its steps by name, their order, and what undoes them. Immutable and thread-safe.
 *
 * @param <C> the context its steps hand on
 */
public sealed interface SagaDefinition<C> permits LocalSagaDefinition, DurableSagaDefinition {

    /** The name under which instances are stored. */
    String name();

    /** The version under which instances are stored. */
    int version();

    /**
     * Returns the SHA-256 of names, kinds, order and pivot. One version has one structure: an engine refuses to start
     * with another one under a version that is known already.
     */
    String structureHash();

    /** Draws the definition as a Mermaid flow chart. */
    String mermaid();
}
