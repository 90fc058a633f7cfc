package dev.postrider.spring.boot.inbox;

import dev.postrider.spring.InboxListener;
import dev.postrider.spring.boot.internal.BeanMethods;
import dev.postrider.spring.boot.internal.StartStop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.StringUtils;

/** Makes a consumer of each method with {@link InboxListener}. */
final class InboxConsumers {

    private static final Map<String, String> NEEDED = Map.of(
            "topics",
            "Add postrider-kafka and spring-boot-starter-kafka, and set spring.kafka.bootstrap-servers",
            "queue",
            "Add postrider-rabbitmq and spring-boot-starter-amqp, and set spring.rabbitmq.addresses");

    private final ConfigurableListableBeanFactory beans;
    private final List<InboxTransport> transports;
    private final InboxArguments arguments;

    InboxConsumers(ConfigurableListableBeanFactory beans, List<InboxTransport> transports, InboxArguments arguments) {
        this.beans = beans;
        this.transports = List.copyOf(transports);
        this.arguments = arguments;
    }

    /** Returns what starts and stops all consumers; nothing is started. */
    StartStop all() {
        Map<String, BeanMethods.Found<InboxListener>> byName = new HashMap<>();
        List<StartStop> consumers = new ArrayList<>();
        for (BeanMethods.Found<InboxListener> listening : new BeanMethods(beans).with(InboxListener.class)) {
            String name = resolved(listening.annotation().consumer());
            BeanMethods.Found<InboxListener> other = byName.putIfAbsent(name, listening);
            if (other != null) {
                // Released messages are found by consumer, and one method would get those of the other.
                throw new ListenerException(
                        "Two methods have @InboxListener(consumer = \"%s\"): %s and %s"
                                .formatted(name, other.method(), listening.method()),
                        "Give each method a consumer of its own, or receive all topics in one method");
            }
            consumers.add(consumer(name, listening));
        }
        return new StartStop(() -> consumers.forEach(StartStop::start), () -> consumers.forEach(StartStop::stop));
    }

    private StartStop consumer(String name, BeanMethods.Found<InboxListener> listening) {
        InboxListener annotation = listening.annotation();
        List<String> topics =
                Arrays.stream(annotation.topics()).map(this::resolved).toList();
        String queue = resolved(annotation.queue());
        if (topics.isEmpty() == queue.isEmpty()) {
            throw new ListenerException(
                    "@InboxListener method %s must name either topics or a queue".formatted(listening.method()),
                    "Set topics = \"...\" to receive from Kafka, or queue = \"...\" to receive from RabbitMQ");
        }
        String attribute = queue.isEmpty() ? "topics" : "queue";
        InboxTransport transport = transports.stream()
                .filter(each -> each.attribute().equals(attribute))
                .findFirst()
                .orElseThrow(() -> new ListenerException(
                        "@InboxListener method %s names %s, and nothing receives from there"
                                .formatted(listening.method(), attribute),
                        String.valueOf(NEEDED.get(attribute))));
        try {
            return transport.consumer(
                    name,
                    queue.isEmpty() ? topics : List.of(queue),
                    annotation.threads(),
                    arguments.handler(listening));
        } catch (IllegalArgumentException e) {
            throw new ListenerException(
                    "@InboxListener method %s cannot receive: %s".formatted(listening.method(), e.getMessage()),
                    "Change the annotation, or the settings of the application's connection to the broker");
        }
    }

    private String resolved(String text) {
        String value = beans.resolveEmbeddedValue(text);
        return StringUtils.hasText(value) ? value : "";
    }
}
