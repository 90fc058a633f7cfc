package dev.postrider.spring.boot.relay;

import dev.postrider.http.HttpPublisher;
import dev.postrider.spring.boot.PostriderProperties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Offers HTTP to the relay. */
@AutoConfiguration(afterName = "dev.postrider.spring.boot.PostriderAutoConfiguration")
@ConditionalOnClass(HttpPublisher.class)
@ConditionalOnBean(PostriderProperties.class)
final class PostriderHttpAutoConfiguration {

    @Bean
    Transport postriderHttpTransport(PostriderProperties properties) {
        return new HttpTransport(properties.relay());
    }
}
