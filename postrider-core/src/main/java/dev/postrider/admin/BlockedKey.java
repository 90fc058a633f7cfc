package dev.postrider.admin;

import dev.postrider.MessageStatus;
import dev.postrider.spi.TopicName;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A key that cannot go on until its first message is delivered or discarded.
 *
 * @param topic where the messages go
 * @param key the blocked key
 * @param blockedBy the message everything else waits for
 * @param status PENDING or CLAIMED if it is still being retried, DEAD if it waits for a person
 * @param waiting how many messages wait behind it, up to a cap
 * @param error why it did not succeed
 */
public record BlockedKey(
        TopicName topic,
        String key,
        UUID blockedBy,
        MessageStatus status,
        long waiting,
        @Nullable String error) {}
