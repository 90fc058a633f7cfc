package dev.postrider.spring.boot.observe;

import dev.postrider.EnqueueListener;
import dev.postrider.all.Postrider;
import dev.postrider.micrometer.InboxMetrics;
import dev.postrider.micrometer.PostriderMetrics;
import dev.postrider.micrometer.SagaMetrics;
import dev.postrider.spring.boot.relay.PublisherTimer;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Counts and measures with the application's meter registry. */
@AutoConfiguration(
        afterName = {
            "dev.postrider.spring.boot.PostriderAutoConfiguration",
            "dev.postrider.spring.boot.relay.PostriderRelayAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, PostriderMetrics.class})
@ConditionalOnBean({MeterRegistry.class, Postrider.class})
final class PostriderMetricsAutoConfiguration {

    /** Asks for the handle at the first sample only: the handle tells these metrics of every enqueue. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    PostriderMetrics postriderMetrics(MeterRegistry registry, ObjectProvider<Postrider> postrider) {
        return PostriderMetrics.builder(registry)
                .stats(() -> postrider.getObject().admin().stats())
                .build();
    }

    @Bean
    EnqueueListener postriderStoredMessages(PostriderMetrics metrics) {
        return new StoredMessages(metrics::stored);
    }

    @Bean
    PublisherTimer postriderPublisherTimer(PostriderMetrics metrics) {
        return metrics::timed;
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    InboxMetrics postriderInboxMetrics(MeterRegistry registry) {
        return InboxMetrics.builder(registry).build();
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    SagaMetrics postriderSagaMetrics(MeterRegistry registry) {
        return SagaMetrics.builder(registry).build();
    }

    @Bean
    MetricsLifecycle postriderMetricsLifecycle(
            PostriderMetrics metrics, InboxMetrics inbox, SagaMetrics sagas, Postrider postrider, BeanFactory beans) {
        return new MetricsLifecycle(metrics, inbox, sagas, postrider, beans);
    }
}
