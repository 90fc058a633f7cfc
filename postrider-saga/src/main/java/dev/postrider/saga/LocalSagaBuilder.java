package dev.postrider.saga;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Collects the steps of a saga that so far are all local. A step comes after the one defined before it, unless it says
 * {@code after(..)} or is in a parallel group. Not thread-safe.
 */
public final class LocalSagaBuilder<C> {

    private final SagaParts<C> parts;

    LocalSagaBuilder(SagaParts<C> parts) {
        this.parts = parts;
    }

    /** Sets the version of the definition; a changed structure needs a new one. Default 1. */
    public LocalSagaBuilder<C> version(int value) {
        parts.version(value);
        return this;
    }

    /** Sets how the context is stored. Required, unless the saga is {@link #atomicOnly} and executes without a key. */
    public LocalSagaBuilder<C> codec(SagaCodec<C> value) {
        parts.codec(value);
        return this;
    }

    /** Sets when a started saga that has not passed its pivot turns back. Default: never. */
    public LocalSagaBuilder<C> deadline(Duration value) {
        parts.deadline(value);
        return this;
    }

    /** Says that the saga only ever executes in one transaction; it then needs neither compensations nor a codec. */
    public LocalSagaBuilder<C> atomicOnly() {
        parts.atomicOnly();
        return this;
    }

    /** Goes on with the compensations of other steps when one has failed for good; the saga still ends up stuck. */
    public LocalSagaBuilder<C> continueOnCompensationFailure() {
        parts.continueOnCompensationFailure();
        return this;
    }

    /** Adds a step whose effect, messages and journal entry are one transaction. */
    public LocalSagaBuilder<C> step(String name, Consumer<LocalStep<C>> step) {
        parts.local(name, step);
        return this;
    }

    /** Adds the point of no return, a local step. */
    public LocalSagaBuilder<C> pivot(String name, Consumer<LocalStep<C>> step) {
        parts.local(name, step.andThen(StepBuilder::pivot));
        return this;
    }

    /** Adds a local step behind the pivot: it must succeed in the end and is never compensated. */
    public LocalSagaBuilder<C> retriable(String name, Consumer<LocalStep<C>> step) {
        parts.local(name, step.andThen(StepBuilder::retriable));
        return this;
    }

    /** Adds steps without an order between them; the next step comes after all of them. */
    public LocalSagaBuilder<C> parallel(String group, Consumer<LocalSteps<C>> steps) {
        parts.group(group, () -> steps.accept(new LocalSteps<>(parts)));
        return this;
    }

    /** Adds a step that asks another system by a message and waits for its reply. */
    public DurableSagaBuilder<C> request(String name, Consumer<RequestStep<C>> step) {
        return durable().request(name, step);
    }

    /** Adds a step that calls another system directly. */
    public DurableSagaBuilder<C> external(String name, Consumer<ExternalStep<C>> step) {
        return durable().external(name, step);
    }

    /** Goes on with a saga that may have steps outside the database, also in a parallel group. */
    public DurableSagaBuilder<C> durable() {
        return new DurableSagaBuilder<>(parts);
    }

    /**
     * Checks the definition and builds it.
     *
     * @throws IllegalArgumentException saying which step breaks which rule
     */
    public LocalSagaDefinition<C> build() {
        return new LocalSagaDefinition<>(parts.blueprint());
    }
}
