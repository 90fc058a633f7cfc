package dev.postrider.spring.boot;

import dev.postrider.all.Postrider;
import dev.postrider.saga.SagaDefinition;
import dev.postrider.saga.SagaEngine;
import dev.postrider.saga.SagaListener;
import dev.postrider.spring.SpringHandlerTransactions;
import dev.postrider.spring.boot.internal.StartStop;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Configures the engine that runs the sagas of the application. */
@AutoConfiguration(afterName = "dev.postrider.spring.boot.inbox.PostriderInboxAutoConfiguration")
@ConditionalOnBean({Postrider.class, SagaDefinition.class})
final class PostriderSagaAutoConfiguration {

    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    SagaEngine sagaEngine(
            Postrider postrider,
            ObjectProvider<SpringHandlerTransactions> transactions,
            PostriderProperties properties,
            ObjectProvider<SagaDefinition<?>> definitions,
            ObjectProvider<SagaListener> listeners) {
        SagaEngine.Builder builder = postrider
                .sagas()
                .transactions(transactions.getObject())
                .listener(new SagaListeners(listeners.orderedStream().toList()))
                .threads(properties.saga().threads());
        definitions.orderedStream().forEach(builder::register);
        return builder.build();
    }

    @Bean
    @ConditionalOnBooleanProperty(name = "postrider.saga.enabled", matchIfMissing = true)
    StartStop postriderSagaLifecycle(SagaEngine engine) {
        return new StartStop(engine::start, engine::close);
    }
}
