package dev.postrider.saga;

/** What a step threw, on its way to whoever decides what that means. */
final class StepFailedException extends Exception {

    private final transient Attempt<?> attempt;

    StepFailedException(Attempt<?> attempt, Throwable cause) {
        super(cause);
        this.attempt = attempt;
    }

    Attempt<?> attempt() {
        return attempt;
    }

    Throwable thrown() {
        return getCause() == null ? this : getCause();
    }
}
