package dev.postrider.console.message;

import dev.postrider.admin.Attempt;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An attempt that did not succeed. */
record AttemptView(
        int attempt,
        String relay,
        String outcome,
        long tookMillis,
        @Nullable String failure,
        @Nullable String error,
        Instant ended) {

    static AttemptView of(Attempt attempt) {
        return new AttemptView(
                attempt.attempt(),
                attempt.relay(),
                attempt.outcome().name(),
                attempt.took().toMillis(),
                attempt.failure(),
                attempt.error(),
                attempt.ended());
    }
}
