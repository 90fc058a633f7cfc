package dev.postrider.kafka;

import java.net.URI;
import org.junit.jupiter.api.Tag;

@Tag("R0.2")
@Tag("R3.3")
final class CloudEventsKafkaPublisherTest extends KafkaPublisherContract {

    @Override
    KafkaPublisherBuilder configure(KafkaPublisherBuilder builder) {
        return builder.cloudEvents(URI.create("/orders"));
    }
}
