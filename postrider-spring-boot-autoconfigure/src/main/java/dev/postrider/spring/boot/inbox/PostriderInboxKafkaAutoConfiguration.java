package dev.postrider.spring.boot.inbox;

import dev.postrider.inbox.Inbox;
import dev.postrider.kafka.KafkaInboxConsumer;
import dev.postrider.spring.boot.PostriderProperties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.ConsumerFactory;

/** Receives from Kafka if the application has a consumer factory. */
@AutoConfiguration(
        after = PostriderInboxAutoConfiguration.class,
        afterName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
@ConditionalOnClass({KafkaInboxConsumer.class, ConsumerFactory.class})
@ConditionalOnBean({ConsumerFactory.class, Inbox.class})
final class PostriderInboxKafkaAutoConfiguration {

    @Bean
    InboxTransport postriderKafkaInbox(Inbox inbox, ConsumerFactory<?, ?> factory, PostriderProperties properties) {
        return new KafkaInboxTransport(inbox, factory, properties.inbox().allowPlaintext());
    }
}
