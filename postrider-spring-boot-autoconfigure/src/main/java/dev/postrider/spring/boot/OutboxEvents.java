package dev.postrider.spring.boot;

import dev.postrider.Outbox;
import dev.postrider.spring.OutboxEvent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.ResolvableType;

/** Enqueues application events whose class has {@link OutboxEvent}. Thread-safe. */
final class OutboxEvents implements GenericApplicationListener {

    private final ObjectProvider<Outbox> outbox;

    // Each class is read once, and is forgotten with its class loader.
    private final ClassValue<Optional<EventRoute>> routes = new ClassValue<>() {
        @Override
        protected Optional<EventRoute> computeValue(Class<?> type) {
            return EventRoute.of(type);
        }
    };

    OutboxEvents(ObjectProvider<Outbox> outbox) {
        this.outbox = outbox;
    }

    @Override
    public boolean supportsEventType(ResolvableType type) {
        Class<?> event = published(type);
        return event == null || routes.get(event).isPresent();
    }

    private static @Nullable Class<?> published(ResolvableType type) {
        ResolvableType payload = type.as(PayloadApplicationEvent.class);
        return payload.equals(ResolvableType.NONE)
                ? type.resolve()
                : payload.getGeneric().resolve();
    }

    /** The transaction belongs to the publisher's thread. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        Object payload = event instanceof PayloadApplicationEvent<?> wrapped ? wrapped.getPayload() : event;
        routes.get(payload.getClass())
                .ifPresent(route -> outbox.getObject().enqueue(route.topic(), route.key(payload), payload));
    }
}
