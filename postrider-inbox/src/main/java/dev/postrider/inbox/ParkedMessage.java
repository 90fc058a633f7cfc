package dev.postrider.inbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message that was put aside.
 *
 * @param place where it stands among all that were put aside
 * @param messageId by which it is released or discarded; made up if the message came without a usable id
 * @param state {@link InboxEntry.State#PARKED}, BEHIND or RELEASED
 * @param reason why it was parked
 * @param attempts how often it failed
 * @param parkedAt since when
 * @param error what the last failure said
 * @param message as it came
 */
public record ParkedMessage(
        long place,
        String messageId,
        InboxEntry.State state,
        ParkReason reason,
        int attempts,
        Instant parkedAt,
        @Nullable String error,
        ReceivedMessage message) {}
