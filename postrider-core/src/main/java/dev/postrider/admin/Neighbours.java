package dev.postrider.admin;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The messages of the same key and topic around a message, each direction up to a limit.
 *
 * @param before those enqueued before it, the nearest last
 * @param allBefore false if there may be more before these than were looked for
 * @param after those enqueued after it, the nearest first
 * @param allAfter false if there may be more after these than were looked for
 * @param blockedBy the message that later messages of the key wait for, which may be the one that was asked about; null
 *     if the key is not held
 */
public record Neighbours(
        List<StoredMessage> before,
        boolean allBefore,
        List<StoredMessage> after,
        boolean allAfter,
        @Nullable UUID blockedBy) {

    /** Nothing belongs together with a message without a key. */
    public static final Neighbours NONE = new Neighbours(List.of(), true, List.of(), true, null);

    /** Copies the lists. */
    public Neighbours {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }
}
