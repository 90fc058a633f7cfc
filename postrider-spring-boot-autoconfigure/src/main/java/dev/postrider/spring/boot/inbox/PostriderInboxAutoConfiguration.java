package dev.postrider.spring.boot.inbox;

import dev.postrider.all.Postrider;
import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxListener;
import dev.postrider.inbox.InboxPurgeJob;
import dev.postrider.inbox.JdbcInbox;
import dev.postrider.spring.SpringHandlerTransactions;
import dev.postrider.spring.SpringInbox;
import dev.postrider.spring.SpringTransactions;
import dev.postrider.spring.boot.PostriderProperties;
import dev.postrider.spring.boot.internal.StartStop;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;

/** Configures the inbox, whose handlers run in Spring's transactions. */
@AutoConfiguration(afterName = "dev.postrider.spring.boot.PostriderAutoConfiguration")
@ConditionalOnBean(Postrider.class)
final class PostriderInboxAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(PlatformTransactionManager.class)
    SpringHandlerTransactions postriderHandlerTransactions(PlatformTransactionManager manager, DataSource dataSource) {
        return new SpringHandlerTransactions(manager, dataSource);
    }

    @Bean
    @ConditionalOnMissingBean(Inbox.class)
    @ConditionalOnBean(SpringHandlerTransactions.class)
    JdbcInbox inbox(
            Postrider postrider,
            SpringHandlerTransactions transactions,
            PostriderProperties properties,
            ObjectProvider<InboxListener> listeners) {
        return postrider
                .inbox()
                .transactions(transactions)
                .listener(new InboxListeners(listeners.orderedStream().toList()))
                .retention(properties.inbox().retention())
                .parkAfter(properties.inbox().parkAfter())
                .lockWait(properties.inbox().lockWait())
                .build();
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(Inbox.class)
    SpringInbox springInbox(Inbox inbox, SpringTransactions transactions) {
        return new SpringInbox(inbox, transactions);
    }

    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    @ConditionalOnBean(JdbcInbox.class)
    @ConditionalOnBooleanProperty(name = "postrider.inbox.purge", matchIfMissing = true)
    InboxPurgeJob postriderInboxPurgeJob(JdbcInbox inbox) {
        return InboxPurgeJob.builder(inbox).build();
    }

    @Bean
    @ConditionalOnBean(InboxPurgeJob.class)
    StartStop postriderInboxPurgeLifecycle(InboxPurgeJob job) {
        return new StartStop(job::start, job::close);
    }
}
