package dev.postrider.spring.test;

import dev.postrider.all.Postrider;
import dev.postrider.spring.boot.relay.RelayPublishers;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Adds the probe to the application under test. */
@Configuration(proxyBeanMethods = false)
class OutboxProbeConfiguration {

    @Bean
    OutboxProbe outboxProbe(Postrider postrider, RelayPublishers publishers) {
        return new OutboxProbe(postrider, publishers);
    }
}
