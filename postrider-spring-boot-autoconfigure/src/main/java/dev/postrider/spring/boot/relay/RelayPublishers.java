package dev.postrider.spring.boot.relay;

import dev.postrider.publish.HandlerPublisher;
import dev.postrider.publish.RoutingPublisher;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spring.boot.PostriderProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Finds the publisher of every topic: first the routes of {@code postrider.topics}, then the publisher for all others.
 * Reads beans at {@link #build} only. Thread-safe.
 */
public final class RelayPublishers {

    private final PostriderProperties properties;
    private final HandlerMethods handlers;
    private final ObjectProvider<Transport> transports;
    private final ObjectProvider<MessagePublisher> own;
    private final ObjectProvider<PublisherTimer> timer;

    RelayPublishers(
            PostriderProperties properties,
            HandlerMethods handlers,
            ObjectProvider<Transport> transports,
            ObjectProvider<MessagePublisher> own,
            ObjectProvider<PublisherTimer> timer) {
        this.properties = properties;
        this.handlers = handlers;
        this.transports = transports;
        this.own = own;
        this.timer = timer;
    }

    /**
     * Makes the publisher of the relay.
     *
     * @throws PublisherException if a topic has no publisher, or no topic has one
     */
    public MessagePublisher build() {
        List<Transport> available = new ArrayList<>(transports.orderedStream().toList());
        handlers.publisher().ifPresent(each -> available.add(new HandlerTransport(each)));
        return routes(available, own.getIfUnique()).build();
    }

    /**
     * Makes the publisher of a test: {@code broker} stands for Kafka, RabbitMQ and HTTP, and gets what no handler of
     * the application takes.
     *
     * @throws PublisherException if a topic has no publisher
     */
    public MessagePublisher build(MessagePublisher broker) {
        List<Transport> available = new ArrayList<>();
        for (String system : List.of("kafka", "rabbitmq", "http")) {
            available.add(new FixedTransport(system, broker));
        }
        Optional<HandlerPublisher> methods = handlers.publisher();
        methods.ifPresent(each -> available.add(new HandlerTransport(each)));
        MessagePublisher otherwise =
                own.getIfUnique(() -> methods.map(each -> split(each, broker)).orElse(broker));
        return routes(available, otherwise).build();
    }

    private MessagePublisher split(HandlerPublisher methods, MessagePublisher broker) {
        RoutingPublisher.Builder routing = RoutingPublisher.builder();
        handlers.handlers().keySet().forEach(pattern -> routing.route(pattern, methods));
        return routing.otherwise(broker).build();
    }

    private TopicPublishers routes(List<Transport> available, @Nullable MessagePublisher otherwise) {
        return new TopicPublishers(
                properties, available, otherwise, timer.getIfAvailable(() -> (system, each) -> each));
    }
}
