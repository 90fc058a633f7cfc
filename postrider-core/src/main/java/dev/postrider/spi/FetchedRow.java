package dev.postrider.spi;

import org.jspecify.annotations.Nullable;

/**
 * A PENDING row as a fetch saw it.
 *
 * @param claimed the message
 * @param holder the nearest earlier message that holds the same key in the same topic, or null; while it is not
 *     delivered or discarded, this message must not be sent
 */
public record FetchedRow(ClaimedMessage claimed, @Nullable Long holder) {

    /** Returns the place of the row in the enqueue order. */
    public long seq() {
        return claimed.seq();
    }
}
