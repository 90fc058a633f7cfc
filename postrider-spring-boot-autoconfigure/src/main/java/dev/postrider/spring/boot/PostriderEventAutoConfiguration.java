package dev.postrider.spring.boot;

import dev.postrider.Outbox;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;

/** Enqueues application events with {@code @OutboxEvent}. */
@AutoConfiguration(after = PostriderAutoConfiguration.class)
@ConditionalOnBean(Outbox.class)
final class PostriderEventAutoConfiguration {

    @Bean
    static OutboxEvents postriderOutboxEvents(ObjectProvider<Outbox> outbox) {
        return new OutboxEvents(outbox);
    }
}
