package dev.postrider.saga;

import java.util.function.Consumer;

/**
 * Collects the steps of a parallel group. They need no join: the engine applies results one after the other to the
 * current context, only the waiting for replies overlaps. Not thread-safe.
 */
public final class DurableSteps<C> {

    private final SagaParts<C> parts;

    DurableSteps(SagaParts<C> parts) {
        this.parts = parts;
    }

    /** Adds a step whose effect, messages and journal entry are one transaction. */
    public DurableSteps<C> step(String name, Consumer<LocalStep<C>> step) {
        parts.local(name, step);
        return this;
    }

    /** Adds a step that asks another system by a message and waits for its reply. */
    public DurableSteps<C> request(String name, Consumer<RequestStep<C>> step) {
        parts.request(name, step);
        return this;
    }

    /** Adds a step that calls another system directly; it must not be in a group with requests. */
    public DurableSteps<C> external(String name, Consumer<ExternalStep<C>> step) {
        parts.external(name, step);
        return this;
    }
}
