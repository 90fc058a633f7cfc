package dev.postrider.saga;

import org.jspecify.annotations.Nullable;

/**
 * What became of a step in one direction.
 *
 * @param attempts how often it was tried
 * @param error what went wrong last; null if nothing did
 */
public record StepReport(
        String step,
        Direction direction,
        StepStatus status,
        int attempts,
        @Nullable String error) {

    static StepReport of(JournalEntry entry) {
        return new StepReport(entry.step(), entry.direction(), entry.status(), entry.attempts(), entry.error());
    }

    static StepReport done(Step<?> step) {
        return new StepReport(step.name(), Direction.FORWARD, StepStatus.DONE, 1, null);
    }
}
