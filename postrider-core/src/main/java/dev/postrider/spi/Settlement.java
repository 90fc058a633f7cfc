package dev.postrider.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one claim, to be written back to the row.
 *
 * @param claimed the claim that ends
 * @param outcome what becomes of the message
 * @param delay for {@link Outcome#RETRY}, how long it waits
 * @param error why it is not delivered, free of payload
 * @param holdsKey whether later messages of the key wait until this one is delivered or discarded
 * @param failure what the error has in common with others of its kind, see {@link Failure}; null without an error
 * @param took from handing the message to the publisher until its answer; zero if it was not sent
 * @param holder for {@link Outcome#BEHIND}, the sequence of the message that holds the key
 */
public record Settlement(
        ClaimedMessage claimed,
        Outcome outcome,
        Duration delay,
        @Nullable String error,
        boolean holdsKey,
        @Nullable String failure,
        Duration took,
        @Nullable Long holder) {

    /** What becomes of a claimed message. */
    public enum Outcome {
        /** The broker acked it. */
        DELIVERED,
        /** PENDING again after a delay; the attempt counts. */
        RETRY,
        /** Given up. */
        DEAD,
        /** Ends a trial in which the message was not sent; the row stays PENDING and the attempt does not count. */
        RELEASED,
        /** PENDING until the message that holds its key is delivered or discarded; the attempt does not count. */
        BEHIND
    }

    /** Ends the claim: the broker acked the message. */
    public static Settlement delivered(ClaimedMessage claimed) {
        return new Settlement(claimed, Outcome.DELIVERED, Duration.ZERO, null, false, null, Duration.ZERO, null);
    }

    /** Ends the claim: the message waits for its next attempt. */
    public static Settlement retry(ClaimedMessage claimed, Duration delay, String error, boolean holdsKey) {
        return new Settlement(claimed, Outcome.RETRY, delay, error, holdsKey, Failure.of(error), Duration.ZERO, null);
    }

    /** Ends the claim: the message waits for a person. */
    public static Settlement dead(ClaimedMessage claimed, String error, boolean holdsKey) {
        return new Settlement(
                claimed, Outcome.DEAD, Duration.ZERO, error, holdsKey, Failure.of(error), Duration.ZERO, null);
    }

    /** Ends a trial in which the message was not sent. */
    public static Settlement released(ClaimedMessage claimed) {
        return new Settlement(
                claimed, Outcome.RELEASED, Duration.ZERO, null, claimed.held(), null, Duration.ZERO, null);
    }

    /** Ends the claim: the message {@code holder} of its key has to be delivered or discarded first. */
    public static Settlement behind(ClaimedMessage claimed, long holder) {
        return new Settlement(claimed, Outcome.BEHIND, Duration.ZERO, null, true, null, Duration.ZERO, holder);
    }

    /** Returns this outcome with another {@link #failure} than its error's text gives. */
    public Settlement withFailure(@Nullable String value) {
        return new Settlement(claimed, outcome, delay, error, holdsKey, value, took, holder);
    }

    /** Returns this outcome with the time its attempt {@link #took}. */
    public Settlement withTook(Duration value) {
        return new Settlement(claimed, outcome, delay, error, holdsKey, failure, value, holder);
    }
}
