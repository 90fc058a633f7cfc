package dev.postrider.spi;

import dev.postrider.OutboxMessage;
import dev.postrider.publish.RejectedMessageException;

/**
 * Turns objects of the application into payloads and back. A payload names its type by a logical name and a version;
 * neither is ever the name of a class to load. Implementations are thread-safe.
 */
public interface PayloadCodec {

    /**
     * Starts a message to {@code topic} that says {@code value}: with its type, version, content type and payload.
     * Equal values have equal payloads.
     *
     * @throws IllegalArgumentException if the class of the value is not registered, or its payload breaks a limit
     */
    OutboxMessage.Builder message(String topic, Object value);

    /**
     * Returns whether some payload can be read as {@code type}: its class is registered, or a subtype of it. A codec
     * that cannot tell answers true.
     */
    default boolean reads(Class<?> type) {
        return true;
    }

    /**
     * Returns the object that a payload says.
     *
     * @throws UnknownPayloadException if this process does not know the type in this version; another may
     * @throws RejectedMessageException if no process can read the payload as this type
     */
    Object decode(String type, int version, byte[] payload);

    /**
     * Returns what the message says.
     *
     * @throws IllegalArgumentException if that is no {@code as}
     */
    default <T> T decode(OutboxMessage message, Class<T> as) {
        return decode(message.type(), message.version(), message.payload(), as);
    }

    /**
     * Returns the object that a payload says.
     *
     * @throws IllegalArgumentException if that is no {@code as}
     */
    default <T> T decode(String type, int version, byte[] payload, Class<T> as) {
        Object value = decode(type, version, payload);
        if (!as.isInstance(value)) {
            throw new IllegalArgumentException("Payload '%s' v%d is a %s and no %s"
                    .formatted(ErrorText.clean(type), version, value.getClass().getName(), as.getName()));
        }
        return as.cast(value);
    }
}
