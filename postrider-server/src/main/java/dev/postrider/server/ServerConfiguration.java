package dev.postrider.server;

import dev.postrider.server.source.SourceContexts;
import dev.postrider.server.source.SourceCustomizer;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;

/** The web context of the server: HTTP, security, health and meters. Databases and brokers belong to its sources. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        excludeName = {
            "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration",
            "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration"
        })
@EnableConfigurationProperties(ServerProperties.class)
@Import(SecurityConfiguration.class)
class ServerConfiguration {

    @Bean
    SourceContexts sourceContexts(
            ConfigurableEnvironment environment, MeterRegistry meters, ObjectProvider<SourceCustomizer> customizers) {
        return new SourceContexts(
                environment, meters, customizers.orderedStream().toList());
    }

    @Bean("sources")
    CompositeHealthContributor sourcesHealth(SourceContexts sources) {
        return new SourcesHealth(sources, SourcesHealth::ready);
    }

    @Bean("relays")
    CompositeHealthContributor relaysHealth(SourceContexts sources) {
        return new SourcesHealth(sources, SourcesHealth::live);
    }
}
