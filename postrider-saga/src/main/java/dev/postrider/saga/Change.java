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
record Change(
        SagaStatus status,
        @Nullable String context,
        @Nullable Duration wakeIn,
        @Nullable SagaFailure failure,
        boolean pivotPassed,
        boolean release) {

    /** Goes to a status, due at once if that is an active one, and keeps everything else, the claim too. */
    static Change to(SagaStatus status) {
        return new Change(status, null, status.active() ? Duration.ZERO : null, null, false, !status.active());
    }

    Change withContext(String text) {
        return new Change(status, text, wakeIn, failure, pivotPassed, release);
    }

    /** Sets when it is due; null: never. */
    Change waking(@Nullable Duration in) {
        return new Change(status, context, in, failure, pivotPassed, release);
    }

    Change because(SagaFailure why) {
        return new Change(status, context, wakeIn, why, pivotPassed, release);
    }

    Change passingPivot() {
        return new Change(status, context, wakeIn, failure, true, release);
    }

    /** Leaves the claim as it is and the end, if this is one, to the next runner: the saga is due at once. */
    Change forRunner(Direction direction) {
        SagaStatus underWay = direction == Direction.FORWARD ? SagaStatus.RUNNING : SagaStatus.COMPENSATING;
        return new Change(status.active() ? status : underWay, context, Duration.ZERO, failure, pivotPassed, false);
    }

    /** Ends the claim with the change. */
    Change releasing() {
        return new Change(status, context, wakeIn, failure, pivotPassed, true);
    }
}
