package dev.postrider.saga;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Collects the steps of a saga that runs step by step. A step comes after the one defined before it, unless it says
 * {@code after(..)} or is in a parallel group. Not thread-safe.
 */
public final class DurableSagaBuilder<C> {

    private final SagaParts<C> parts;

    DurableSagaBuilder(SagaParts<C> parts) {
        this.parts = parts;
    }

    /** Sets the version of the definition; a changed structure needs a new one. Default 1. */
    public DurableSagaBuilder<C> version(int value) {
        parts.version(value);
        return this;
    }

    /** Sets how the context is stored. Required. */
    public DurableSagaBuilder<C> codec(SagaCodec<C> value) {
        parts.codec(value);
        return this;
    }

    /** Sets when a saga that has not passed its pivot turns back. Default: never. */
    public DurableSagaBuilder<C> deadline(Duration value) {
        parts.deadline(value);
        return this;
    }

    /** Goes on with the compensations of other steps when one has failed for good; the saga still ends up stuck. */
    public DurableSagaBuilder<C> continueOnCompensationFailure() {
        parts.continueOnCompensationFailure();
        return this;
    }

    /** Adds a step whose effect, messages and journal entry are one transaction. */
    public DurableSagaBuilder<C> step(String name, Consumer<LocalStep<C>> step) {
        parts.local(name, step);
        return this;
    }

    /** Adds a step that asks another system by a message and waits for its reply. */
    public DurableSagaBuilder<C> request(String name, Consumer<RequestStep<C>> step) {
        parts.request(name, step);
        return this;
    }

    /** Adds a step that calls another system directly. */
    public DurableSagaBuilder<C> external(String name, Consumer<ExternalStep<C>> step) {
        parts.external(name, step);
        return this;
    }

    /** Adds the point of no return, a local step. */
    public DurableSagaBuilder<C> pivot(String name, Consumer<LocalStep<C>> step) {
        parts.local(name, step.andThen(StepBuilder::pivot));
        return this;
    }

    /** Adds a local step behind the pivot: it must succeed in the end and is never compensated. */
    public DurableSagaBuilder<C> retriable(String name, Consumer<LocalStep<C>> step) {
        parts.local(name, step.andThen(StepBuilder::retriable));
        return this;
    }

    /** Adds steps without an order between them; the next step comes after all of them. */
    public DurableSagaBuilder<C> parallel(String group, Consumer<DurableSteps<C>> steps) {
        parts.group(group, () -> steps.accept(new DurableSteps<>(parts)));
        return this;
    }

    /**
     * Checks the definition and builds it.
     *
     * @throws IllegalArgumentException saying which step breaks which rule
     */
    public DurableSagaDefinition<C> build() {
        return new DurableSagaDefinition<>(parts.blueprint());
    }
}
