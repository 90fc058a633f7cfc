package dev.postrider.spring.boot;

import dev.postrider.spring.SpringTransactions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.ConfigurableTransactionManager;

/**
 * Registers the outbox with every transaction manager, also with those that the application defines itself, so that an
 * enqueue after the commit is refused.
 */
@AutoConfiguration(after = PostriderAutoConfiguration.class)
@ConditionalOnBean(SpringTransactions.class)
final class PostriderListenerAutoConfiguration {

    @Bean
    SmartInitializingSingleton postriderTransactionListener(
            SpringTransactions transactions, ObjectProvider<ConfigurableTransactionManager> managers) {
        return () -> managers.stream()
                .filter(manager -> !manager.getTransactionExecutionListeners().contains(transactions))
                .forEach(manager -> manager.addListener(transactions));
    }
}
