package dev.postrider.saga;

import dev.postrider.spi.ErrorText;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What it means that a step failed. */
final class Failures {

    private Failures() {}

    static <C> StepSettlement<C> settlement(Progress<C> progress, StepFailedException failed) {
        StepAttempt<?> attempt = failed.attempt();
        Step<C> step = progress.blueprint().step(attempt.step().name()).orElseThrow();
        boolean forGood =
                attempt.direction() == Direction.FORWARD && step.rules().isFinal(failed.thrown());
        StepEntry entry = attempt.entry(status(progress, step, attempt.direction(), forGood))
                .withError(ErrorText.of(failed.thrown()));
        return StepSettlement.of(progress, entry).failed(Reasons.thrown(step.name(), failed.thrown()), forGood);
    }

    /** Returns what it means that a call has not happened and may not be made again. */
    static <C> StepSettlement<C> exhausted(Progress<C> progress, StepAttempt<C> attempt) {
        Step<C> step = attempt.step();
        @Nullable String error =
                progress.entry(step, Direction.FORWARD).map(JournalEntry::error).orElse(null);
        return StepSettlement.of(progress, attempt.entry(StepStatus.STARTED))
                .failed(new SagaFailure(step.name(), Reasons.ATTEMPTS_EXHAUSTED, error), true);
    }

    // A failed call may have happened all the same, and an earlier command is still on its way.
    private static <C> StepStatus status(Progress<C> progress, Step<C> step, Direction direction, boolean forGood) {
        if (direction == Direction.COMPENSATION) {
            return StepStatus.FAILED;
        }
        Optional<StepStatus> asked = progress.entry(step, direction)
                .map(JournalEntry::status)
                .filter(each -> each == StepStatus.WAITING || each == StepStatus.STARTED);
        if (step.kind() == StepKind.REQUEST && asked.isPresent()) {
            return asked.get();
        }
        boolean refused = forGood && step.role() == StepRole.PIVOT;
        return step.kind() == StepKind.EXTERNAL && !refused ? StepStatus.STARTED : StepStatus.FAILED;
    }
}
