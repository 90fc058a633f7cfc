package dev.postrider.saga;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a saga does next.
 *
 * @param status where the saga is when this is decided
 * @param step what to do or undo; null if it is neither
 * @param attempt counts the attempts of the step, from 1
 * @param wakeIn when to decide again; null: when something happens
 * @param failure why it turns back or stops
 */
record Next<C>(
        Kind kind,
        SagaStatus status,
        @Nullable Step<C> step,
        int attempt,
        @Nullable Duration wakeIn,
        @Nullable SagaFailure failure) {

    /** What can be next. */
    enum Kind {
        /** A step is done. */
        DO,
        /** A step is undone. */
        UNDO,
        /** Nothing is to be done before something happens or time passes. */
        WAIT,
        /** From now on steps are undone. */
        TURN_BACK,
        /** Nothing will happen any more, at least not without a person. */
        END
    }

    static <C> Next<C> run(Step<C> step, int attempt) {
        return new Next<>(Kind.DO, SagaStatus.RUNNING, step, attempt, Duration.ZERO, null);
    }

    static <C> Next<C> undo(Step<C> step, int attempt) {
        return new Next<>(Kind.UNDO, SagaStatus.COMPENSATING, step, attempt, Duration.ZERO, null);
    }

    static <C> Next<C> await(SagaStatus status, Duration wakeIn) {
        return new Next<>(Kind.WAIT, status, null, 0, wakeIn, null);
    }

    static <C> Next<C> turnBack(SagaFailure failure) {
        return new Next<>(Kind.TURN_BACK, SagaStatus.COMPENSATING, null, 0, Duration.ZERO, failure);
    }

    static <C> Next<C> stuck(SagaFailure failure) {
        return new Next<>(Kind.END, SagaStatus.STUCK, null, 0, null, failure);
    }

    static <C> Next<C> end(SagaStatus status) {
        return new Next<>(Kind.END, status, null, 0, null, null);
    }

    /** Returns the same with what was thrown as the reason, if this is about a failure at all. */
    Next<C> because(SagaFailure thrown) {
        return failure == null ? this : new Next<>(kind, status, step, attempt, wakeIn, thrown);
    }

    Step<C> required() {
        return Objects.requireNonNull(step, "step");
    }

    Direction direction() {
        return kind == Kind.UNDO ? Direction.COMPENSATION : Direction.FORWARD;
    }

    /** Whether there is something to do at once. */
    boolean goesOn() {
        return kind == Kind.DO || kind == Kind.UNDO || kind == Kind.TURN_BACK;
    }

    /** Returns how the saga gets to where this is next; a claim that is of no use any more ends. */
    SagaUpdate change() {
        SagaUpdate change = SagaUpdate.to(status).waking(wakeIn);
        if (failure != null) {
            change = change.because(failure);
        }
        return goesOn() ? change : change.releasing();
    }
}
