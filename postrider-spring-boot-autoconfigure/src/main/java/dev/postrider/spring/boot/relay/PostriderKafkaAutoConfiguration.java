package dev.postrider.spring.boot.relay;

import dev.postrider.kafka.KafkaPublisher;
import dev.postrider.spring.boot.PostriderProperties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.ProducerFactory;

/** Offers Kafka to the relay if the application has a producer factory. */
@AutoConfiguration(afterName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
@ConditionalOnClass({KafkaPublisher.class, ProducerFactory.class})
@ConditionalOnBean(ProducerFactory.class)
final class PostriderKafkaAutoConfiguration {

    @Bean
    Transport postriderKafkaTransport(ProducerFactory<?, ?> factory, PostriderProperties properties) {
        return new KafkaTransport(factory, properties.relay().allowPlaintext());
    }
}
