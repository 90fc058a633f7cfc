package dev.postrider.spring.boot;

import dev.postrider.OutboxMessage;
import dev.postrider.hibernate.EventMapper;
import dev.postrider.hibernate.RecordedEvent;
import dev.postrider.spi.PayloadCodec;
import dev.postrider.spring.OutboxEvent;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes the message of an event that an entity recorded. Topic and key are those of {@link OutboxEvent} on the class of
 * the event. Without it the topic is the entity's name, and the key is the entity's identifier. Thread-safe.
 */
final class AggregateEvents implements EventMapper {

    private final Supplier<PayloadCodec> codec;

    // Each class is read once, and is forgotten with its class loader.
    private final ClassValue<Optional<EventRoute>> routes = new ClassValue<>() {
        @Override
        protected Optional<EventRoute> computeValue(Class<?> type) {
            return EventRoute.of(type);
        }
    };

    AggregateEvents(Supplier<PayloadCodec> codec) {
        this.codec = codec;
    }

    @Override
    public OutboxMessage message(RecordedEvent recorded) {
        Optional<EventRoute> route = routes.get(recorded.event().getClass());
        OutboxMessage.Builder message =
                recorded.message(route.map(EventRoute::topic).orElseGet(recorded::aggregateType), codec.get());
        route.map(each -> each.key(recorded.event())).ifPresent(message::key);
        return message.build();
    }
}
