package dev.postrider.spring.boot;

import dev.postrider.OutboxMessage;
import dev.postrider.publish.Delivery;
import dev.postrider.publish.HandlerPublisher;
import dev.postrider.publish.MessageHandler;
import dev.postrider.spi.PayloadCodec;
import dev.postrider.spring.OutboxHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;

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
        for (String bean : beans.getBeanDefinitionNames()) {
            Class<?> type = type(bean);
            if (type != null) {
                methods(type).forEach((method, annotation) -> add(found, bean, method, annotation.value()));
            }
        }
        return found;
    }

    private @Nullable Class<?> type(String bean) {
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
            return type == null || type.getName().startsWith("org.springframework.") ? null : type;
        } catch (RuntimeException e) {
            // The type of a bean whose class path is incomplete: no concern of ours.
            return null;
        }
    }

    private static Map<Method, OutboxHandler> methods(Class<?> type) {
        return MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<@Nullable OutboxHandler>)
                method -> AnnotatedElementUtils.findMergedAnnotation(method, OutboxHandler.class));
    }

    private void add(Map<String, MessageHandler> found, String bean, Method method, String pattern) {
        MessageHandler handler = new MethodHandler(beans, bean, method, argument(method));
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

    /** Calls one method of a bean. */
    private record MethodHandler(
            ConfigurableListableBeanFactory beans, String bean, Method method, Function<Delivery, Object> argument)
            implements MessageHandler {

        @Override
        public void handle(Delivery delivery) throws Exception {
            Object target = beans.getBean(bean);
            Method callable = AopUtils.selectInvocableMethod(method, target.getClass());
            callable.setAccessible(true);
            try {
                callable.invoke(target, argument.apply(delivery));
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof Exception cause) {
                    throw cause;
                }
                if (e.getCause() instanceof Error error) {
                    throw error;
                }
                throw e;
            }
        }
    }
}
