package dev.postrider.saga;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Where a saga is, or how it ended. Immutable.
 *
 * @param <C> the context its steps hand on
 */
public sealed interface SagaResult<C> {

    /** The saga. */
    UUID sagaId();

    /** Where it is. */
    SagaStatus status();

    /** What the last successful step returned; of a rolled back saga, what it was given. */
    C context();

    /** What became of its steps so far, in the order in which they were begun. */
    List<StepReport> steps();

    /** Why it turned back or stopped. */
    Optional<SagaFailure> failure();

    /** Answers with the method that belongs to the outcome. */
    <R> R fold(Visitor<C, R> visitor);

    /**
     * Returns the context of a completed saga.
     *
     * @throws SagaException if it is not completed
     */
    default C orThrow() {
        if (status() != SagaStatus.COMPLETED) {
            throw new SagaException("Saga %s is %s%s"
                    .formatted(
                            sagaId(),
                            status(),
                            failure().map(each -> " because of " + each.type()).orElse("")));
        }
        return context();
    }

    /** What to make of each outcome. */
    interface Visitor<C, R> {

        /** Every step is done. */
        R completed(Completed<C> result);

        /** Nothing happened: the one transaction was rolled back. */
        R rolledBack(RolledBack<C> result);

        /** What had happened is undone. */
        R compensated(Compensated<C> result);

        /** It has not ended yet. */
        R running(Running<C> result);

        /** It waits for a person. */
        R stuck(Stuck<C> result);
    }

    /** Every step is done. */
    record Completed<C>(UUID sagaId, C context, List<StepReport> steps) implements SagaResult<C> {

        /** Copies the steps. */
        public Completed {
            steps = List.copyOf(steps);
        }

        @Override
        public SagaStatus status() {
            return SagaStatus.COMPLETED;
        }

        @Override
        public Optional<SagaFailure> failure() {
            return Optional.empty();
        }

        @Override
        public <R> R fold(Visitor<C, R> visitor) {
            return visitor.completed(this);
        }
    }

    /**
     * Nothing happened: the one transaction was rolled back.
     *
     * @param why why it was
     */
    record RolledBack<C>(UUID sagaId, C context, SagaFailure why) implements SagaResult<C> {

        @Override
        public SagaStatus status() {
            return SagaStatus.ROLLED_BACK;
        }

        @Override
        public List<StepReport> steps() {
            return List.of();
        }

        @Override
        public Optional<SagaFailure> failure() {
            return Optional.of(why);
        }

        @Override
        public <R> R fold(Visitor<C, R> visitor) {
            return visitor.rolledBack(this);
        }
    }

    /**
     * What had happened is undone.
     *
     * @param why why it turned back
     */
    record Compensated<C>(UUID sagaId, C context, List<StepReport> steps, SagaFailure why) implements SagaResult<C> {

        /** Copies the steps. */
        public Compensated {
            steps = List.copyOf(steps);
        }

        @Override
        public SagaStatus status() {
            return SagaStatus.COMPENSATED;
        }

        @Override
        public Optional<SagaFailure> failure() {
            return Optional.of(why);
        }

        @Override
        public <R> R fold(Visitor<C, R> visitor) {
            return visitor.compensated(this);
        }
    }

    /**
     * It has not ended yet.
     *
     * @param failure why it turned back, if it did
     */
    record Running<C>(UUID sagaId, SagaStatus status, C context, List<StepReport> steps, Optional<SagaFailure> failure)
            implements SagaResult<C> {

        /** Copies the steps. */
        public Running {
            steps = List.copyOf(steps);
        }

        @Override
        public <R> R fold(Visitor<C, R> visitor) {
            return visitor.running(this);
        }
    }

    /**
     * It waits for a person.
     *
     * @param why why it stopped
     */
    record Stuck<C>(UUID sagaId, C context, List<StepReport> steps, SagaFailure why) implements SagaResult<C> {

        /** Copies the steps. */
        public Stuck {
            steps = List.copyOf(steps);
        }

        @Override
        public SagaStatus status() {
            return SagaStatus.STUCK;
        }

        @Override
        public Optional<SagaFailure> failure() {
            return Optional.of(why);
        }

        @Override
        public <R> R fold(Visitor<C, R> visitor) {
            return visitor.stuck(this);
        }
    }
}
