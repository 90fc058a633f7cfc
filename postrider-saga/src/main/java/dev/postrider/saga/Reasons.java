package dev.postrider.saga;

import dev.postrider.spi.ErrorText;
import org.jspecify.annotations.Nullable;

/** The words for why a saga turned back or stopped, where it was no exception of a step. */
final class Reasons {

    static final String DEADLINE = "DEADLINE";
    static final String REPLY_OVERDUE = "REPLY_OVERDUE";
    static final String REFUSED = "REFUSED";
    static final String ATTEMPTS_EXHAUSTED = "ATTEMPTS_EXHAUSTED";
    static final String COMPENSATION_FAILED = "COMPENSATION_FAILED";
    static final String PIVOT_UNKNOWN = "PIVOT_UNKNOWN";
    static final String CODEC = "CODEC";
    static final String NO_PROGRESS = "NO_PROGRESS";
    static final String TX_DEAD = "TX_DEAD";

    private Reasons() {}

    /** Returns the failure of a step that threw something. */
    static SagaFailure thrown(@Nullable String step, Throwable error) {
        if (error instanceof DeadTransactionException) {
            return new SagaFailure(step, TX_DEAD, error.getMessage());
        }
        String message = error.getMessage();
        return new SagaFailure(step, ErrorText.type(error), message == null ? null : ErrorText.clean(message));
    }
}
