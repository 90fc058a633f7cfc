package dev.postrider.spring.boot.relay;

import dev.postrider.rabbitmq.RabbitPublisher;
import dev.postrider.spring.boot.PostriderProperties;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Offers RabbitMQ to the relay if the application has a connection factory. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
            "org.springframework.boot.rabbitmq.autoconfigure.RabbitAutoConfiguration"
        })
@ConditionalOnClass({RabbitPublisher.class, CachingConnectionFactory.class})
@ConditionalOnBean(CachingConnectionFactory.class)
final class PostriderRabbitAutoConfiguration {

    @Bean
    Transport postriderRabbitTransport(CachingConnectionFactory factory, PostriderProperties properties) {
        return new RabbitTransport(
                factory.getRabbitConnectionFactory(), properties.relay().allowPlaintext());
    }
}
