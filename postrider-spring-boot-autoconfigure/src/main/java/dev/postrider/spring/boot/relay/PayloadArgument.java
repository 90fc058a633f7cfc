package dev.postrider.spring.boot.relay;

import dev.postrider.OutboxMessage;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.spi.PayloadCodec;
import dev.postrider.spring.boot.internal.SettingsException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The payload as a method's parameter: a text, bytes, or an object of a registered type. Thread-safe.
 *
 * @param codec null if the parameter needs none
 */
record PayloadArgument(Class<?> type, @Nullable PayloadCodec codec) {

    /**
     * Finds out how the method gets the payload.
     *
     * @throws SettingsException if no payload can become such a parameter
     */
    static PayloadArgument of(Method method, Class<?> type, @Nullable PayloadCodec codec) {
        if (type == String.class || type == byte[].class) {
            return new PayloadArgument(type, null);
        }
        if (codec == null) {
            throw new SettingsException(
                    "%s takes a %s, but there is no codec that could read a payload".formatted(method, type.getName()),
                    "Add the dependency dev.postrider:postrider-jackson, or define a bean of type PayloadCodec",
                    null);
        }
        if (!codec.reads(type)) {
            throw new SettingsException(
                    "%s takes a %s, which is no registered payload type".formatted(method, type.getName()),
                    "Set postrider.payload.types.<name>=%s, or register the class in a bean of type PayloadCustomizer"
                            .formatted(type.getName()),
                    null);
        }
        return new PayloadArgument(type, codec);
    }

    Object of(OutboxMessage message) {
        return value(message.payload(), known -> known.decode(message, type));
    }

    Object of(ReceivedMessage message) {
        return value(message.payload(), known -> message.payload(known, type));
    }

    private Object value(byte[] payload, Function<PayloadCodec, Object> decoded) {
        if (codec != null) {
            return decoded.apply(codec);
        }
        return type == String.class ? new String(payload, StandardCharsets.UTF_8) : payload;
    }
}
