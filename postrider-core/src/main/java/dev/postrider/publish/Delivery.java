package dev.postrider.publish;

import dev.postrider.OutboxMessage;
import java.util.Objects;

/**
 * One attempt to have a message handled.
 *
 * @param message what to handle; its id is the same at every attempt
 * @param attempt 1 for the first attempt
 * @param seq the row's place in the enqueue order; among the messages of one key a later one has a larger number
 */
public record Delivery(OutboxMessage message, int attempt, long seq) {

    /** Refuses an attempt below 1. */
    public Delivery {
        Objects.requireNonNull(message, "message");
        if (attempt < 1) {
            throw new IllegalArgumentException("attempt must be at least 1 but was " + attempt);
        }
    }
}
