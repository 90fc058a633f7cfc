package dev.postrider.saga;

import java.time.Instant;
import java.util.UUID;

/**
 * One attempt of a step in one direction.
 *
 * @param number counts the attempts, from 1
 * @param idTime the time in the ids of its messages
 * @param repeated whether the step was begun before, even if that attempt does not count
 */
record StepAttempt<C>(UUID sagaId, Step<C> step, Direction direction, int number, Instant idTime, boolean repeated) {

    static <C> StepAttempt<C> of(Progress<C> progress, Next<C> next) {
        SagaRow row = progress.row();
        return new StepAttempt<>(
                row.id(),
                next.required(),
                next.direction(),
                next.attempt(),
                row.times().updatedAt(),
                progress.entry(next.required(), next.direction()).isPresent());
    }

    String idempotencyKey() {
        return SagaIds.idempotencyKey(sagaId, step.name(), direction);
    }

    UUID messageId(int index) {
        return SagaIds.message(sagaId, step.name(), direction, index, idTime);
    }

    /** Returns where the saga is while this is under way. */
    SagaStatus underWay() {
        return direction == Direction.FORWARD ? SagaStatus.RUNNING : SagaStatus.COMPENSATING;
    }

    /** Returns the entry of a step that may have happened, in an attempt that does not count. */
    StepEntry uncounted() {
        return StepEntry.of(sagaId, step.name(), direction, StepStatus.STARTED, number - 1);
    }

    StepEntry entry(StepStatus status) {
        return StepEntry.of(sagaId, step.name(), direction, status, number);
    }
}
