package dev.postrider.saga;

import java.time.Instant;
import java.util.UUID;

/**
 * One attempt of a step in one direction.
 *
 * @param number counts the attempts, from 1
 * @param idTime the time in the ids of its messages
 */
record Attempt<C>(UUID sagaId, Step<C> step, Direction direction, int number, Instant idTime) {

    static <C> Attempt<C> of(Progress<C> progress, Next<C> next) {
        SagaRow row = progress.row();
        return new Attempt<>(
                row.id(),
                next.required(),
                next.direction(),
                next.attempt(),
                row.times().updatedAt());
    }

    String idempotencyKey() {
        return SagaIds.idempotencyKey(sagaId, step.name(), direction);
    }

    UUID messageId(int index) {
        return SagaIds.message(sagaId, step.name(), direction, index, idTime);
    }

    StepEntry entry(StepStatus status) {
        return StepEntry.of(sagaId, step.name(), direction, status, number);
    }
}
