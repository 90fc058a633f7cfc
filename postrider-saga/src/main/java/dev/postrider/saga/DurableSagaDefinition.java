package dev.postrider.saga;

/** A saga with steps outside the database. It can only be started, and runs step by step. */
public final class DurableSagaDefinition<C> implements SagaDefinition<C> {

    private final Blueprint<C> blueprint;

    DurableSagaDefinition(Blueprint<C> blueprint) {
        this.blueprint = blueprint;
    }

    Blueprint<C> blueprint() {
        return blueprint;
    }

    @Override
    public String name() {
        return blueprint.name();
    }

    @Override
    public int version() {
        return blueprint.version();
    }

    @Override
    public String structureHash() {
        return StructureHash.of(blueprint);
    }

    @Override
    public String mermaid() {
        return Mermaid.of(blueprint);
    }

    @Override
    public String toString() {
        return "%s v%d".formatted(name(), version());
    }
}
