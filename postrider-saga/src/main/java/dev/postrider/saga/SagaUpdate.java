package dev.postrider.saga;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a saga is advanced. COMPENSATING turns it back; a finished one loses claim and wake-up.
 *
 * @param context encoded; null keeps the one it has
 * @param wakeIn when it is due, counted from the database's now; null: never
 * @param failure null keeps the one it has
 * @param pivotPassed true once and for ever
 * @param release whether the claim ends, so that whoever finds the saga due may claim it
 */
record SagaUpdate(
        SagaStatus status,
        @Nullable String context,
        @Nullable Duration wakeIn,
        @Nullable SagaFailure failure,
        boolean pivotPassed,
        boolean release) {

    /** Goes to a status, due at once if that is an active one, and keeps everything else, the claim too. */
    static SagaUpdate to(SagaStatus status) {
        return new SagaUpdate(status, null, status.active() ? Duration.ZERO : null, null, false, !status.active());
    }

    SagaUpdate withContext(String text) {
        return new SagaUpdate(status, text, wakeIn, failure, pivotPassed, release);
    }

    /** Sets when it is due; null: never. */
    SagaUpdate waking(@Nullable Duration in) {
        return new SagaUpdate(status, context, in, failure, pivotPassed, release);
    }

    SagaUpdate because(SagaFailure why) {
        return new SagaUpdate(status, context, wakeIn, why, pivotPassed, release);
    }

    SagaUpdate passingPivot() {
        return new SagaUpdate(status, context, wakeIn, failure, true, release);
    }

    /** Leaves the claim as it is and the end, if this is one, to the next runner: the saga is due at once. */
    SagaUpdate forRunner(Direction direction) {
        SagaStatus underWay = direction == Direction.FORWARD ? SagaStatus.RUNNING : SagaStatus.COMPENSATING;
        return new SagaUpdate(status.active() ? status : underWay, context, Duration.ZERO, failure, pivotPassed, false);
    }

    /** Ends the claim with the change. */
    SagaUpdate releasing() {
        return new SagaUpdate(status, context, wakeIn, failure, pivotPassed, true);
    }
}
