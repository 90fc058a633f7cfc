package dev.postrider.kafka;

import org.junit.jupiter.api.Tag;

@Tag("R0.2")
@Tag("R3.3")
final class PlainKafkaPublisherTest extends KafkaPublisherContract {

    @Override
    KafkaPublisherBuilder configure(KafkaPublisherBuilder builder) {
        return builder;
    }
}
