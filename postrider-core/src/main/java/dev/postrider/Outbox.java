package dev.postrider;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages in the caller's transaction: they exist if, and only if, it commits.
 *
 * <p>An outbox is bound to one transaction; how it is obtained depends on the store.
 */
public interface Outbox {

    /**
     * Enqueues the message.
     *
     * @throws IllegalArgumentException if the message breaks a limit or the tenant policy; nothing is inserted
     * @throws OutboxException if there is no open transaction or the database refuses the row
     */
    Receipt enqueue(OutboxMessage message);

    /**
     * Enqueues an object as the payload of a message. The codec of the outbox says its type, its version and its form.
     *
     * @param key messages of one topic with equal keys keep their order; null means no order
     * @throws IllegalArgumentException if the class of the payload is not registered with the codec
     * @throws OutboxException if the outbox has no codec, there is no open transaction or the database refuses the row
     */
    default Receipt enqueue(String topic, @Nullable String key, Object payload) {
        throw new OutboxException("This outbox has no codec for %s: build it with a codec that knows the class, or"
                        .formatted(payload.getClass().getName())
                + " enqueue an OutboxMessage");
    }

    /** Enqueues all messages in order, in one round trip where the database allows it; all are checked first. */
    List<Receipt> enqueueAll(List<OutboxMessage> messages);
}
