package dev.postrider.spring.boot;

import dev.postrider.EnqueueListener;
import dev.postrider.OutboxException;
import dev.postrider.all.Postrider;
import dev.postrider.all.PostriderBuilder;
import dev.postrider.database.TableNames;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.spring.SpringTransactions;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.context.annotation.Bean;

/** Configures the tables, the handle and the outbox, which joins Spring's transactions. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
            "org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration"
        })
@ConditionalOnSingleCandidate(DataSource.class)
@EnableConfigurationProperties(PostriderProperties.class)
final class PostriderAutoConfiguration {

    @Bean
    AfterCommit postriderAfterCommit() {
        return new AfterCommit();
    }

    @Bean
    @ConditionalOnMissingBean
    SpringTransactions postriderTransactions(DataSource dataSource, AfterCommit afterCommit) {
        return new SpringTransactions(dataSource, afterCommit);
    }

    @Bean
    RelayPool postriderRelayPool(DataSource dataSource, PostriderProperties properties) {
        return RelayPool.of(dataSource, properties.relay());
    }

    @Bean
    @ConditionalOnMissingBean
    Postrider postrider(
            DataSource dataSource,
            RelayPool relayPool,
            SpringTransactions transactions,
            PostriderProperties properties,
            ObjectProvider<EnqueueListener> listeners,
            ObjectProvider<PostriderCustomizer> customizers) {
        PostriderBuilder builder = Postrider.on(dataSource)
                .relayDataSource(relayPool.dataSource())
                .outboxTables(outboxTables(properties))
                .inboxTables(tables(properties, properties.inbox().tablePrefix()))
                .sagaTables(tables(properties, properties.saga().tablePrefix()))
                .namespace(properties.outbox().namespace())
                .transactions(transactions);
        builder.listener(all(listeners.orderedStream().toList()));
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        Postrider postrider = builder.build();
        prepareTables(postrider, mode(dataSource, properties));
        return postrider;
    }

    private static EnqueueListener all(List<EnqueueListener> listeners) {
        return message -> listeners.forEach(listener -> listener.enqueued(message));
    }

    @Bean
    @ConditionalOnMissingBean
    JdbcOutbox outbox(Postrider postrider) {
        return postrider.outbox();
    }

    @Bean
    WakeUps postriderWakeUps(
            Postrider postrider, RelayPool relayPool, PostriderProperties properties, AfterCommit afterCommit) {
        WakeUps wakeUps = properties.relay().notifyOthers()
                ? WakeUps.of(relayPool.dataSource(), outboxTables(properties))
                : WakeUps.none();
        wakeUps.channel().ifPresent(channel -> afterCommit.add(wakeUps::committed));
        return wakeUps;
    }

    private static TableNames outboxTables(PostriderProperties properties) {
        return tables(properties, properties.outbox().tablePrefix());
    }

    private static TableNames tables(PostriderProperties properties, String prefix) {
        TableNames names = TableNames.of(prefix);
        String schema = properties.schema().name();
        return schema == null ? names : names.withSchema(schema);
    }

    private static PostriderProperties.Schema.Mode mode(DataSource dataSource, PostriderProperties properties) {
        PostriderProperties.Schema.Mode mode = properties.schema().mode();
        if (mode != null) {
            return mode;
        }
        return EmbeddedDatabaseConnection.isEmbedded(dataSource)
                ? PostriderProperties.Schema.Mode.CREATE_OR_MIGRATE
                : PostriderProperties.Schema.Mode.VALIDATE;
    }

    private static void prepareTables(Postrider postrider, PostriderProperties.Schema.Mode mode) {
        try {
            switch (mode) {
                case CREATE_OR_MIGRATE -> postrider.migrate();
                case VALIDATE -> postrider.validate();
                case NONE -> {}
            }
        } catch (OutboxException e) {
            throw new SchemaException(e);
        }
    }
}
