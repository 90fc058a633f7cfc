package dev.postrider.saga;

/** What a request step does when no reply came in time. */
public enum OnTimeout {
    /** Sends the command again, as often as the step's retry policy allows; then it has failed. */
    RESEND,
    /** Has failed: the saga turns back. */
    COMPENSATE,
    /** Goes on waiting for the reply or for an operator. */
    WAIT_FOR_SIGNAL
}
