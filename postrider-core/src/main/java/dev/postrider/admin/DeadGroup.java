package dev.postrider.admin;

import dev.postrider.spi.TopicName;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Dead messages that most likely have the same cause.
 *
 * @param topic where they go
 * @param type what they are
 * @param failure what their last errors have in common; {@value #UNKNOWN} if nobody noted it
 * @param count how many there are among the dead that were counted
 * @param atLeast whether there are more dead messages than were counted, so that the group may be larger
 * @param first when the first of them was given up
 * @param last when the last of them was given up
 * @param sample one of them; null if somebody changed it in the meantime
 */
public record DeadGroup(
        TopicName topic,
        String type,
        String failure,
        long count,
        boolean atLeast,
        Instant first,
        Instant last,
        @Nullable Sample sample) {

    /** Stands for the failure of a message without one, also in {@link MessageFilter#failure}. */
    public static final String UNKNOWN = "unknown";

    /**
     * A message that stands for its group.
     *
     * @param id its id
     * @param error its last error
     */
    public record Sample(UUID id, @Nullable String error) {}
}
