package dev.postrider.spring.boot.inbox;

import dev.postrider.all.Postrider;
import dev.postrider.inbox.Inbox;
import dev.postrider.spi.PayloadCodec;
import dev.postrider.spring.InboxListener;
import dev.postrider.spring.boot.internal.BeanMethods;
import dev.postrider.spring.boot.internal.StartStop;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;

/** Hands messages of brokers to methods with {@link InboxListener}. */
@AutoConfiguration(
        after = {
            PostriderInboxAutoConfiguration.class,
            PostriderInboxKafkaAutoConfiguration.class,
            PostriderInboxRabbitAutoConfiguration.class
        })
@ConditionalOnBean(Postrider.class)
@ConditionalOnBooleanProperty(name = "postrider.inbox.enabled", matchIfMissing = true)
final class PostriderInboxListenerAutoConfiguration {

    @Bean
    StartStop postriderInboxConsumers(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Inbox> inbox,
            ObjectProvider<InboxTransport> transports,
            ObjectProvider<PayloadCodec> codec) {
        if (inbox.getIfAvailable() == null) {
            return withoutInbox(beans);
        }
        return new InboxConsumers(beans, transports.orderedStream().toList(), new InboxArguments(codec.getIfUnique()))
                .all();
    }

    private static StartStop withoutInbox(ConfigurableListableBeanFactory beans) {
        new BeanMethods(beans).with(InboxListener.class).stream().findFirst().ifPresent(listening -> {
            throw new ListenerException(
                    "@InboxListener method %s needs an inbox, and there is none because the application has several"
                                    .formatted(listening.method())
                            + " transaction managers or none",
                    "Mark the transaction manager of the outbox's data source @Primary, or define a"
                            + " SpringHandlerTransactions bean with it");
        });
        return new StartStop(() -> {}, () -> {});
    }
}
