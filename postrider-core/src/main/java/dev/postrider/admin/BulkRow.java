package dev.postrider.admin;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One message of a bulk action.
 *
 * @param seq the message's place in the enqueue order
 * @param messageId its id
 * @param result what became of it
 * @param error why it was not done; null if it was
 */
public record BulkRow(
        long seq,
        UUID messageId,
        BulkResult result,
        @Nullable String error) {}
