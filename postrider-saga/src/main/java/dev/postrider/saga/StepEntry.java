package dev.postrider.saga;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What to write into the journal.
 *
 * @param attempts how often the step was tried in this direction, this time included
 * @param commandId the id of the command that was enqueued; null keeps the one the row has
 * @param error what went wrong; null keeps what the row has
 */
record StepEntry(
        UUID sagaId,
        String step,
        Direction direction,
        StepStatus status,
        int attempts,
        @Nullable String commandId,
        @Nullable String error) {

    static StepEntry of(UUID sagaId, String step, Direction direction, StepStatus status, int attempts) {
        return new StepEntry(sagaId, step, direction, status, attempts, null, null);
    }

    StepEntry withCommand(String id) {
        return new StepEntry(sagaId, step, direction, status, attempts, id, error);
    }

    StepEntry withError(String text) {
        return new StepEntry(sagaId, step, direction, status, attempts, commandId, text);
    }
}
