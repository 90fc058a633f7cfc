package dev.postrider.spring.boot.observe;

import dev.postrider.HeaderSource;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Gives messages the trace context of the transaction that enqueues them. */
@AutoConfiguration(
        afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
        beforeName = "dev.postrider.spring.boot.PostriderAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
final class PostriderObservationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    HeaderSource postriderTraceHeaders(ObservationRegistry registry) {
        return new TraceHeaders(registry);
    }
}
