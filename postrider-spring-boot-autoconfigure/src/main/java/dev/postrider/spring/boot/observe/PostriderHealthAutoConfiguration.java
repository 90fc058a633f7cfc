package dev.postrider.spring.boot.observe;

import dev.postrider.relay.HealthReport;
import dev.postrider.relay.Relay;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Reports the relay in the health endpoint. A backlog or a broker that is away is not the relay's ill health. */
@AutoConfiguration(afterName = "dev.postrider.spring.boot.relay.PostriderRelayAutoConfiguration")
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Relay.class)
@ConditionalOnEnabledHealthIndicator("postrider")
final class PostriderHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "postriderHealthIndicator")
    HealthIndicator postriderHealthIndicator(Relay relay) {
        return () -> {
            HealthReport report = HealthReport.of(relay.health());
            Health.Builder health = new Health.Builder().status(report.status().name());
            report.details().forEach(health::withDetail);
            return health.build();
        };
    }
}
