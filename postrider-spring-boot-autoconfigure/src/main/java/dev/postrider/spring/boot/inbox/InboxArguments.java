package dev.postrider.spring.boot.inbox;

import dev.postrider.inbox.InboxTransaction;
import dev.postrider.inbox.ReceivedHandler;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.spi.PayloadCodec;
import dev.postrider.spring.InboxListener;
import dev.postrider.spring.boot.internal.BeanMethods;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the arguments of listener methods from messages.
 *
 * @param codec reads payloads that are objects; null if there is none
 */
record InboxArguments(@Nullable PayloadCodec codec) {

    /** Returns what calls the method. */
    ReceivedHandler handler(BeanMethods.Found<InboxListener> listening) {
        Method method = listening.method();
        List<Argument> arguments = Arrays.stream(method.getParameterTypes())
                .map(type -> argument(method, type))
                .toList();
        if (arguments.isEmpty() || method.getReturnType() != void.class) {
            throw new ListenerException(
                    "@InboxListener method %s must have a parameter and return nothing".formatted(method),
                    "Declare it void with the payload as parameter, and let its work end before it returns");
        }
        return (message, transaction) -> listening.call(
                arguments.stream().map(each -> each.of(message, transaction)).toArray());
    }

    private Argument argument(Method method, Class<?> type) {
        if (type == ReceivedMessage.class) {
            return (message, transaction) -> message;
        }
        if (type == InboxTransaction.class) {
            return (message, transaction) -> transaction;
        }
        if (type == String.class) {
            return (message, transaction) -> new String(message.payload(), StandardCharsets.UTF_8);
        }
        if (type == byte[].class) {
            return (message, transaction) -> message.payload();
        }
        PayloadCodec reader = codec;
        if (reader == null || !reader.reads(type)) {
            throw new ListenerException(
                    "@InboxListener method %s cannot be called with a message: nothing makes a %s of its payload"
                            .formatted(method, type.getName()),
                    "Declare ReceivedMessage, InboxTransaction, String or byte[]; for objects define a PayloadCodec"
                            + " bean, for example dev.postrider.jackson.JsonPayloadCodec");
        }
        return (message, transaction) -> message.payload(reader, type);
    }

    @FunctionalInterface
    private interface Argument {

        Object of(ReceivedMessage message, InboxTransaction transaction);
    }
}
