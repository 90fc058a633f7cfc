package dev.postrider;

import java.util.UUID;

/**
 * What became of an enqueued message.
 *
 * @param id the id of the row in the outbox; for an already enqueued message, the id of the first one
 * @param inserted false when a message with the same dedupe key was enqueued before, and nothing was inserted
 */
public record Receipt(UUID id, boolean inserted) {

    /** Returns true when an earlier enqueue of the same dedupe key won. */
    public boolean alreadyEnqueued() {
        return !inserted;
    }
}
