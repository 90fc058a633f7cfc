package dev.postrider.admin;

import dev.postrider.spi.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to deliver a message that did not succeed.
 *
 * @param messageId which message
 * @param attempt its number; a requeue or a replay begins at 1 again
 * @param relay who tried
 * @param outcome what became of the message: RETRY or DEAD
 * @param took from handing it to the publisher until the answer, in milliseconds; zero if it was not sent
 * @param failure what the error has in common with others of its kind
 * @param error why it did not succeed
 * @param ended when the outcome was written, by the database's clock
 */
public record Attempt(
        UUID messageId,
        int attempt,
        String relay,
        Settlement.Outcome outcome,
        Duration took,
        @Nullable String failure,
        @Nullable String error,
        Instant ended) {}
