package dev.postrider.spring.boot.observe;

import dev.postrider.all.Postrider;
import dev.postrider.relay.Relay;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Offers the actuator endpoint {@code postrider} if it is exposed. */
@AutoConfiguration(afterName = "dev.postrider.spring.boot.relay.PostriderRelayAutoConfiguration")
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(Postrider.class)
@ConditionalOnAvailableEndpoint(PostriderEndpoint.class)
final class PostriderEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    PostriderEndpoint postriderEndpoint(Postrider postrider, ObjectProvider<Relay> relay) {
        return new PostriderEndpoint(postrider, relay.getIfAvailable());
    }
}
