package dev.postrider.spring.boot.observe;

import dev.postrider.HeaderSource;
import dev.postrider.OutboxMessage;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Observes the creation of every message. With tracing this is a span of its own, whose context goes into the headers
 * of the message in the format that the application has configured; W3C's is Spring Boot's default. Thread-safe.
 */
final class TraceHeaders implements HeaderSource {

    private final ObservationRegistry registry;

    TraceHeaders(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public Map<String, String> headers(OutboxMessage message) {
        if (registry.isNoop()) {
            return Map.of();
        }
        Map<String, String> headers = new LinkedHashMap<>();
        SenderContext<Map<String, String>> context = new SenderContext<>(
                (carrier, name, value) -> {
                    if (carrier != null) {
                        carrier.put(name, value);
                    }
                },
                Kind.PRODUCER);
        context.setCarrier(headers);
        Observation.createNotStarted("postrider.outbox.create", () -> context, registry)
                .contextualName("create " + message.topic())
                .lowCardinalityKeyValue("messaging.operation.name", "create")
                // An invented topic must not make time series of its own.
                .highCardinalityKeyValue("messaging.destination.name", message.topic())
                .highCardinalityKeyValue("messaging.message.id", message.id().toString())
                .start()
                .stop();
        return headers;
    }
}
