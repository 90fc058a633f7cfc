package dev.postrider.spring.boot;

import dev.postrider.admin.Retention;
import dev.postrider.all.Postrider;
import dev.postrider.relay.RetentionJob;
import dev.postrider.spring.boot.internal.StartStop;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Configures the job that removes old messages. */
@AutoConfiguration(after = PostriderAutoConfiguration.class)
@ConditionalOnBean(Postrider.class)
@ConditionalOnBooleanProperty(name = "postrider.retention.enabled", matchIfMissing = true)
final class PostriderRetentionAutoConfiguration {

    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    RetentionJob postriderRetentionJob(Postrider postrider, PostriderProperties properties) {
        return RetentionJob.builder(postrider.retention())
                .policy(Retention.defaults()
                        .withDelivered(properties.retention().delivered()))
                .build();
    }

    @Bean
    StartStop postriderRetentionLifecycle(RetentionJob job) {
        return new StartStop(job::start, job::close);
    }
}
