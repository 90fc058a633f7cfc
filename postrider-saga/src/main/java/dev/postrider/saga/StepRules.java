package dev.postrider.saga;

import dev.postrider.retry.RetryPolicy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a step's author said about failures.
 *
 * @param failOn what no repetition can mend
 * @param timeout how long one attempt of a local step may take; null means as long as it likes
 */
record StepRules(
        RetryPolicy retry,
        RetryPolicy compensationRetry,
        List<Class<? extends Throwable>> failOn,
        @Nullable Duration timeout) {

    StepRules {
        failOn = List.copyOf(failOn);
    }

    /** Tells whether the step has failed for good, whatever the number of its attempts. */
    boolean isFinal(Throwable error) {
        for (Throwable each = error; each != null; each = each.getCause()) {
            for (Class<? extends Throwable> type : failOn) {
                if (type.isInstance(each)) {
                    return true;
                }
            }
        }
        return false;
    }
}
