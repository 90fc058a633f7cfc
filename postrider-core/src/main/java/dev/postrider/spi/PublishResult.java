package dev.postrider.spi;

import org.jspecify.annotations.Nullable;

/**
 * What the broker answered for one message.
 *
 * @param kind whether, and when, the broker takes the message
 * @param error why not, free of payload; null if acked
 */
public record PublishResult(Kind kind, @Nullable String error) {

    private static final PublishResult ACKED = new PublishResult(Kind.ACKED, null);

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

    /** The broker has the message. */
    public static PublishResult acked() {
        return ACKED;
    }

    /** Not now. */
    public static PublishResult failed(String error) {
        return new PublishResult(Kind.FAILED, error);
    }

    /** Never. */
    public static PublishResult rejected(String error) {
        return new PublishResult(Kind.REJECTED, error);
    }

    /** The whole topic is out of reach. */
    public static PublishResult unavailable(String error) {
        return new PublishResult(Kind.UNAVAILABLE, error);
    }
}
