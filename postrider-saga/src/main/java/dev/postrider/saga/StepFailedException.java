package dev.postrider.saga;

/** What a step threw, on its way to whoever decides what that means. */
final class StepFailedException extends Exception {

    private final transient StepAttempt<?> attempt;

    StepFailedException(StepAttempt<?> attempt, Throwable cause) {
        super(cause);
        this.attempt = attempt;
    }

    StepAttempt<?> attempt() {
        return attempt;
    }

    Throwable thrown() {
        return getCause() == null ? this : getCause();
    }
}
