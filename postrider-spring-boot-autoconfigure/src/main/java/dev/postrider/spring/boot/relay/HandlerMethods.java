package dev.postrider.spring.boot.relay;

import dev.postrider.OutboxMessage;
import dev.postrider.publish.Delivery;
import dev.postrider.publish.HandlerPublisher;
import dev.postrider.publish.MessageHandler;
import dev.postrider.spi.PayloadCodec;
import dev.postrider.spring.OutboxHandler;
import dev.postrider.spring.boot.internal.BeanMethods;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Finds the methods with {@link OutboxHandler}. Looks at types only: no bean is created before its first message. */
final class HandlerMethods {

    private final ConfigurableListableBeanFactory beans;

    HandlerMethods(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Makes a publisher to all methods; empty if there is none. */
    Optional<HandlerPublisher> publisher() {
        Map<String, MessageHandler> handlers = handlers();
        if (handlers.isEmpty()) {
            return Optional.empty();
        }
        HandlerPublisher.Builder builder = HandlerPublisher.builder();
        handlers.forEach(builder::handler);
        return Optional.of(builder.build());
    }

    /** Returns the handlers by the pattern of their topics. */
    Map<String, MessageHandler> handlers() {
        Map<String, MessageHandler> found = new LinkedHashMap<>();
        new BeanMethods(beans).with(OutboxHandler.class).forEach(method -> add(found, method));
        return found;
    }

    private void add(Map<String, MessageHandler> found, BeanMethods.Found<OutboxHandler> listening) {
        Method method = listening.method();
        String pattern = listening.annotation().value();
        Function<Delivery, Object> argument = argument(method);
        MessageHandler handler = delivery -> listening.call(argument.apply(delivery));
        if (found.putIfAbsent(pattern, handler) != null) {
            throw new PublisherException(
                    "Two methods have @OutboxHandler(\"%s\"); the second is %s".formatted(pattern, method),
                    "Call one from the other, or use two topics");
        }
    }

    private Function<Delivery, Object> argument(Method method) {
        Class<?>[] types = method.getParameterTypes();
        if (types.length == 1) {
            if (types[0] == Delivery.class) {
                return delivery -> delivery;
            }
            if (types[0] == OutboxMessage.class) {
                return Delivery::message;
            }
            PayloadCodec codec = beans.getBeanProvider(PayloadCodec.class).getIfAvailable();
            PayloadArgument payload = PayloadArgument.of(method, types[0], codec);
            return delivery -> payload.of(delivery.message());
        }
        throw new PublisherException(
                "@OutboxHandler method %s cannot be called with a message".formatted(method),
                "Declare one parameter: Delivery, OutboxMessage, a registered payload type, String or byte[]");
    }
}
