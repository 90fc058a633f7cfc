package dev.postrider.spring.boot.relay;

import dev.postrider.publish.RoutingPublisher;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spring.boot.PostriderProperties;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the publisher of every topic: first the routes of {@code postrider.topics}, then the publisher for all others.
 */
final class TopicPublishers {

    private static final PostriderProperties.Topic NO_SETTINGS =
            new PostriderProperties.Topic(null, null, null, null, null);

    private final PostriderProperties properties;
    private final Map<String, Transport> transports = new LinkedHashMap<>();
    private final @Nullable MessagePublisher own;
    private final PublisherTimer timer;

    TopicPublishers(
            PostriderProperties properties,
            List<Transport> transports,
            @Nullable MessagePublisher own,
            PublisherTimer timer) {
        this.properties = properties;
        this.own = own;
        this.timer = timer;
        transports.forEach(transport -> this.transports.put(transport.name(), transport));
    }

    /**
     * Makes the publisher of the relay. Topics with equal settings share one publisher.
     *
     * @throws PublisherException if a topic has no publisher, or no topic has one
     */
    MessagePublisher build() {
        Optional<MessagePublisher> others = otherwise();
        if (properties.topics().isEmpty()) {
            return others.orElseThrow(this::none);
        }
        Map<PostriderProperties.Topic, MessagePublisher> shared = new HashMap<>();
        RoutingPublisher.Builder routing = RoutingPublisher.builder();
        byPrecision()
                .forEach((pattern, topic) -> routing.route(
                        pattern, shared.computeIfAbsent(topic, settings -> publisher(pattern, settings))));
        others.ifPresent(routing::otherwise);
        return routing.build();
    }

    // The map of the properties has no order, and a pattern with a star must not hide a topic without one.
    private Map<String, PostriderProperties.Topic> byPrecision() {
        return properties.topics().entrySet().stream()
                .sorted(Comparator.comparing(
                                (Map.Entry<String, PostriderProperties.Topic> entry) -> stars(entry.getKey()))
                        .thenComparing(entry -> -entry.getKey().length())
                        .thenComparing(Map.Entry::getKey))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, LinkedHashMap::new));
    }

    private static long stars(String pattern) {
        return pattern.chars().filter(character -> character == '*').count();
    }

    private MessagePublisher publisher(String pattern, PostriderProperties.Topic topic) {
        String name = topic.publisher() == null ? implied(pattern, topic) : topic.publisher();
        TopicSettings.requireFit(pattern, name, topic);
        return publisher(transport(name, "postrider.topics." + pattern + ".publisher"), topic);
    }

    private MessagePublisher publisher(Transport transport, PostriderProperties.Topic settings) {
        return timer.timed(transport.name(), transport.publisher(settings));
    }

    private String implied(String pattern, PostriderProperties.Topic topic) {
        return TopicSettings.publishers(topic).values().stream()
                .findFirst()
                .orElseThrow(() -> new PublisherException(
                        "Topic %s has no publisher".formatted(pattern),
                        "Set postrider.topics.%s.publisher to one of %s".formatted(pattern, names())));
    }

    private Optional<MessagePublisher> otherwise() {
        if (properties.publisher() != null) {
            return Optional.of(publisher(transport(properties.publisher(), "postrider.publisher"), NO_SETTINGS));
        }
        if (own != null) {
            return Optional.of(timer.timed("custom", own));
        }
        List<Transport> ready = transports.values().stream()
                .filter(each -> !each.name().equals("http"))
                .toList();
        if (ready.size() > 1 && properties.topics().isEmpty()) {
            throw new PublisherException(
                    "There are several publishers: %s".formatted(names()),
                    "Set postrider.publisher to the one that gets every topic, or postrider.topics.<topic>.publisher for"
                            + " each topic");
        }
        return ready.size() == 1 ? Optional.of(publisher(ready.get(0), NO_SETTINGS)) : Optional.empty();
    }

    private Transport transport(String name, String property) {
        Transport found = transports.get(name);
        if (found == null) {
            throw new PublisherException(
                    "%s is '%s', but the publisher %s is not available; available are %s"
                            .formatted(property, name, name, names()),
                    remedy(name));
        }
        return found;
    }

    private static String remedy(String name) {
        return switch (name) {
            case "kafka" ->
                "Add the dependencies dev.postrider:postrider-kafka and"
                        + " org.springframework.boot:spring-boot-starter-kafka, and set spring.kafka.bootstrap-servers";
            case "rabbitmq" ->
                "Add the dependencies dev.postrider:postrider-rabbitmq and"
                        + " org.springframework.boot:spring-boot-starter-amqp, and set spring.rabbitmq.addresses";
            case "http" -> "Add the dependency dev.postrider:postrider-http";
            case "handler" -> "Put @OutboxHandler on a method of a bean";
            default -> "Use kafka, rabbitmq, http or handler";
        };
    }

    private PublisherException none() {
        return new PublisherException("The relay has no publisher, so no message could be delivered", """
                Do one of these:
                - put @OutboxHandler("<topic>") on a method of a bean, for delivery inside this application
                - add dev.postrider:postrider-kafka and spring-boot-starter-kafka
                - add dev.postrider:postrider-rabbitmq and spring-boot-starter-amqp
                - define a bean of type dev.postrider.spi.MessagePublisher
                - set postrider.relay.enabled=false if another application delivers""");
    }

    private String names() {
        return transports.isEmpty() ? "none" : String.join(", ", new TreeSet<>(transports.keySet()));
    }
}
