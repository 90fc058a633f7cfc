package dev.postrider.spring.boot.relay;

import dev.postrider.kafka.KafkaPublisher;
import dev.postrider.kafka.KafkaPublisherBuilder;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spring.boot.PostriderProperties;
import java.util.HashMap;
import java.util.Map;
import org.springframework.kafka.core.ProducerFactory;

/** Publishes to Kafka with the settings of the application's producer factory, including those of its security. */
final class KafkaTransport implements Transport {

    private final ProducerFactory<?, ?> factory;
    private final boolean allowPlaintext;

    KafkaTransport(ProducerFactory<?, ?> factory, boolean allowPlaintext) {
        this.factory = factory;
        this.allowPlaintext = allowPlaintext;
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public MessagePublisher publisher(PostriderProperties.Topic settings) {
        // The publisher sends bytes, whatever the application's own producers send.
        Map<String, Object> producer = new HashMap<>(factory.getConfigurationProperties());
        producer.remove("key.serializer");
        producer.remove("value.serializer");
        producer.remove("transactional.id");
        KafkaPublisherBuilder builder = KafkaPublisher.builder(producer).allowPlaintext(allowPlaintext);
        if (settings.topic() != null) {
            builder.topic(settings.topic());
        }
        return builder.build();
    }
}
