package dev.postrider.spring.boot.relay;

import dev.postrider.all.Postrider;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spring.boot.PostriderProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;

/** Knows the publishers of the application, also where no relay runs. */
@AutoConfiguration(afterName = "dev.postrider.spring.boot.PostriderAutoConfiguration")
@ConditionalOnBean(Postrider.class)
final class PostriderPublisherAutoConfiguration {

    @Bean
    RelayPublishers postriderPublishers(
            PostriderProperties properties,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Transport> transports,
            ObjectProvider<MessagePublisher> own,
            ObjectProvider<PublisherTimer> timer) {
        return new RelayPublishers(properties, new HandlerMethods(beans), transports, own, timer);
    }
}
