package dev.postrider.spring.boot.relay;

import dev.postrider.all.Postrider;
import dev.postrider.relay.Relay;
import dev.postrider.relay.RelayBuilder;
import dev.postrider.relay.RelayListener;
import dev.postrider.spring.boot.PostriderProperties;
import dev.postrider.spring.boot.RelayCustomizer;
import dev.postrider.spring.boot.internal.AfterCommit;
import dev.postrider.spring.boot.internal.WakeUps;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Configures the relay, which delivers to the publishers of the application. */
@AutoConfiguration(
        after = {
            PostriderKafkaAutoConfiguration.class,
            PostriderRabbitAutoConfiguration.class,
            PostriderHttpAutoConfiguration.class,
            PostriderPublisherAutoConfiguration.class
        },
        afterName = "dev.postrider.spring.boot.PostriderAutoConfiguration")
@ConditionalOnBean(Postrider.class)
@ConditionalOnBooleanProperty(name = "postrider.relay.enabled", matchIfMissing = true)
final class PostriderRelayAutoConfiguration {

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Relay postriderRelay(
            Postrider postrider,
            PostriderProperties properties,
            RelayPublishers publishers,
            ObjectProvider<RelayListener> listeners,
            ObjectProvider<RelayCustomizer> customizers,
            WakeUps wakeUps) {
        RelayBuilder builder = Relay.builder(postrider.store(), publishers.build());
        RelaySettings.apply(properties.relay(), builder);
        listeners.orderedStream().forEach(builder::listener);
        wakeUps.channel().ifPresent(builder::wakeUp);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return RelaySettings.build(builder);
    }

    @Bean
    RelayLifecycle postriderRelayLifecycle(Relay relay, AfterCommit afterCommit) {
        return new RelayLifecycle(relay, afterCommit);
    }
}
