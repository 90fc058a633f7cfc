package dev.postrider.spring.boot.inbox;

import dev.postrider.inbox.Inbox;
import dev.postrider.rabbitmq.RabbitInboxConsumer;
import dev.postrider.spring.boot.PostriderProperties;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Receives from RabbitMQ if the application has a connection factory. */
@AutoConfiguration(
        after = PostriderInboxAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
            "org.springframework.boot.rabbitmq.autoconfigure.RabbitAutoConfiguration"
        })
@ConditionalOnClass({RabbitInboxConsumer.class, CachingConnectionFactory.class})
@ConditionalOnBean({CachingConnectionFactory.class, Inbox.class})
final class PostriderInboxRabbitAutoConfiguration {

    @Bean
    InboxTransport postriderRabbitInbox(Inbox inbox, CachingConnectionFactory factory, PostriderProperties properties) {
        return new RabbitInboxTransport(
                inbox, factory.getRabbitConnectionFactory(), properties.inbox().allowPlaintext());
    }
}
