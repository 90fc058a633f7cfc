package dev.postrider.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the broker answered for one message.
 *
 * @param kind whether, and when, the broker takes the message
 * @param error why not, free of payload; null if acked
 * @param retryAfter how long the broker asked to be left alone; zero if it said nothing
 * @param failure what the error has in common with others of its kind; made from the error's text where it is null and
 *     the message is to blame, see {@link Failure}
 */
public record PublishResult(
        Kind kind,
        @Nullable String error,
        Duration retryAfter,
        @Nullable String failure) {

    private static final PublishResult ACKED = new PublishResult(Kind.ACKED, null, Duration.ZERO, null);

    /** Whether, and when, the broker takes the message. */
    public enum Kind {
        /** The broker has taken responsibility for the message. */
        ACKED,
        /** The broker may take the same message later; the attempt counts. */
        FAILED,
        /** The broker will never take this message, for example because it is too large. */
        REJECTED,
        /** The broker or the topic cannot be reached; no message is to blame and no attempt counts. */
        UNAVAILABLE
    }

    /** Refuses a time that runs backwards. */
    public PublishResult {
        if (failure == null && error != null && (kind == Kind.FAILED || kind == Kind.REJECTED)) {
            failure = Failure.of(error);
        }
        if (retryAfter.isNegative()) {
            throw new IllegalArgumentException("retryAfter must not be negative but was " + retryAfter);
        }
    }

    /** The broker has the message. */
    public static PublishResult acked() {
        return ACKED;
    }

    /** Not now. */
    public static PublishResult failed(String error) {
        return failed(error, Duration.ZERO);
    }

    /** Not now, and not before {@code retryAfter}. */
    public static PublishResult failed(String error, Duration retryAfter) {
        return new PublishResult(Kind.FAILED, error, retryAfter, null);
    }

    /** Not now, because of this error, whose text is kept with the message. */
    public static PublishResult failed(Throwable error) {
        return new PublishResult(Kind.FAILED, ErrorText.of(error), Duration.ZERO, Failure.of(error));
    }

    /** Never. */
    public static PublishResult rejected(String error) {
        return new PublishResult(Kind.REJECTED, error, Duration.ZERO, null);
    }

    /** Never, because of this error, whose text is kept with the message. */
    public static PublishResult rejected(Throwable error) {
        return new PublishResult(Kind.REJECTED, ErrorText.of(error), Duration.ZERO, Failure.of(error));
    }

    /** The whole topic is out of reach. */
    public static PublishResult unavailable(String error) {
        return unavailable(error, Duration.ZERO);
    }

    /** The whole topic is out of reach, at least until {@code retryAfter}. */
    public static PublishResult unavailable(String error, Duration retryAfter) {
        return new PublishResult(Kind.UNAVAILABLE, error, retryAfter, null);
    }
}
