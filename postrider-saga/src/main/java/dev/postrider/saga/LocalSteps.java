package dev.postrider.saga;

import java.util.function.Consumer;

/** Collects the local steps of a parallel group. Not thread-safe. */
public final class LocalSteps<C> {

    private final SagaParts<C> parts;

    LocalSteps(SagaParts<C> parts) {
        this.parts = parts;
    }

    /** Adds a step whose effect, messages and journal entry are one transaction. */
    public LocalSteps<C> step(String name, Consumer<LocalStep<C>> step) {
        parts.local(name, step);
        return this;
    }
}
