package dev.postrider;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which id a message under construction has. An id that was announced is the message's id, or there is no message. */
final class MessageIdentity {

    private static final UUID NIL = new UUID(0, 0);

    private @Nullable UUID given;
    private @Nullable UUID generated;
    private @Nullable UUID announced;

    void give(UUID id) {
        this.given = id;
    }

    /** Returns the id that the message has as things are. */
    UUID announce(String namespace, String topic, @Nullable String dedupeKey) {
        if (dedupeKey == null && given == null && generated == null) {
            generated = OutboxMessage.newId();
        }
        UUID id = id(namespace, topic, dedupeKey);
        announced = id;
        return id;
    }

    /** Returns the id of the message that is built, if it may have it. */
    UUID checked(String namespace, String topic, @Nullable String dedupeKey) {
        if (given != null && dedupeKey != null) {
            throw new IllegalArgumentException(
                    "A message with dedupeKey '%s' has the id that belongs to the key; remove id %s"
                            .formatted(dedupeKey, given));
        }
        if (NIL.equals(given)) {
            throw new IllegalArgumentException("id must not be the nil UUID; use OutboxMessage.newId()");
        }
        UUID id = id(namespace, topic, dedupeKey);
        if (announced != null && !announced.equals(id)) {
            throw new IllegalArgumentException(
                    "The message has id %s, but id() returned %s; set id, namespace and dedupeKey before"
                            .formatted(id, announced));
        }
        return id;
    }

    /** Returns the id of a stored row. */
    @Nullable UUID given() {
        return given;
    }

    private UUID id(String namespace, String topic, @Nullable String dedupeKey) {
        if (dedupeKey != null) {
            return MessageIds.ofDedupeKey(namespace, topic, dedupeKey);
        }
        if (given != null) {
            return given;
        }
        return generated != null ? generated : OutboxMessage.newId();
    }
}
