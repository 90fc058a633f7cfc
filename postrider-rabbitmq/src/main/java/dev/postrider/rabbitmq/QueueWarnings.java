package dev.postrider.rabbitmq;

import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once of each queue that may drop or refuse messages. Thread-safe. */
final class QueueWarnings {

    // A template may make many queues, and all of them tend to be declared alike.
    static final int MOST = 100;

    private static final Logger log = LoggerFactory.getLogger(QueueWarnings.class);

    private final Set<String> checked = ConcurrentHashMap.newKeySet();
    private final Set<String> texts = ConcurrentHashMap.newKeySet();

    /** Asks the broker about a queue that was not asked about before. */
    void check(Connection connection, String queue) {
        if (checked.contains(queue) || checked.size() >= MOST || !checked.add(queue)) {
            return;
        }
        try {
            QueueProbe.arguments(connection, queue).ifPresent(arguments -> warn(queue, arguments));
        } catch (IOException e) {
            // The next connection asks again. A broker that was only slow is not asked twice: messages wait meanwhile.
            if (!connection.isOpen()) {
                checked.remove(queue);
            }
            log.debug("Could not ask about queue {}: {}", BrokerText.shortened(queue), BrokerText.of(e));
        }
    }

    private void warn(String queue, Map<String, Object> arguments) {
        String name = BrokerText.shortened(queue);
        if (arguments.containsKey("x-max-length") || arguments.containsKey("x-max-length-bytes")) {
            String overflow = overflow(arguments.get("x-overflow"));
            warn((overflow.startsWith("reject-publish")
                            ? "Queue %s has a maximum length and overflow %s: a full queue refuses messages, and"
                                    + " each refusal counts as an attempt"
                            : "Queue %s has a maximum length and overflow %s: a full queue drops its oldest"
                                    + " messages, which were confirmed. Use reject-publish")
                    .formatted(name, overflow));
        }
        Object limit = arguments.get(QueueProbe.DELIVERY_LIMIT);
        if (limit != null) {
            warn(("Queue %s has the delivery limit %s: a message that is delivered more often is dropped or"
                            + " dead-lettered before the inbox parks it. Remove the limit, on RabbitMQ 4 by setting it to"
                            + " -1")
                    .formatted(name, limit));
        }
    }

    private void warn(String text) {
        texts.add(text);
        log.warn("{}", text);
    }

    /** Returns the warnings so far; at most two for each queue. */
    List<String> texts() {
        return List.copyOf(texts);
    }

    private static String overflow(@Nullable Object argument) {
        return argument == null ? "drop-head" : argument.toString();
    }
}
