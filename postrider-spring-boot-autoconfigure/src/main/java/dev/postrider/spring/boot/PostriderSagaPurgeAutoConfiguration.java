package dev.postrider.spring.boot;

import dev.postrider.all.Postrider;
import dev.postrider.saga.Participant;
import dev.postrider.saga.SagaDefinition;
import dev.postrider.saga.SagaPurgeJob;
import dev.postrider.spring.boot.internal.StartStop;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** Configures the job that removes old sagas and what participants remember of them. */
@AutoConfiguration(after = PostriderAutoConfiguration.class)
@ConditionalOnBean(Postrider.class)
@ConditionalOnBooleanProperty(name = "postrider.saga.purge", matchIfMissing = true)
@Conditional(PostriderSagaPurgeAutoConfiguration.HasSagas.class)
final class PostriderSagaPurgeAutoConfiguration {

    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    SagaPurgeJob postriderSagaPurgeJob(Postrider postrider, PostriderProperties properties) {
        return SagaPurgeJob.builder(postrider.sagaAdmin())
                .keepSagas(properties.saga().retention())
                .build();
    }

    @Bean
    StartStop postriderSagaPurgeLifecycle(SagaPurgeJob job) {
        return new StartStop(job::start, job::close);
    }

    /** Sagas run here, or commands of sagas are carried out here. */
    static final class HasSagas extends AnyNestedCondition {

        HasSagas() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(SagaDefinition.class)
        static final class Runs {}

        @ConditionalOnBean(Participant.class)
        static final class TakesPart {}
    }
}
