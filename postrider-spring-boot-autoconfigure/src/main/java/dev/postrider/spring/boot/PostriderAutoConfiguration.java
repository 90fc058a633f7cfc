package dev.postrider.spring.boot;

import dev.postrider.EnqueueListener;
import dev.postrider.HeaderSource;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.all.Postrider;
import dev.postrider.all.PostriderBuilder;
import dev.postrider.database.TableNames;
import dev.postrider.jdbc.JdbcOutbox;
import dev.postrider.spi.PayloadCodec;
import dev.postrider.spring.SpringTransactions;
import dev.postrider.spring.boot.internal.AfterCommit;
import dev.postrider.spring.boot.internal.SettingsException;
import dev.postrider.spring.boot.internal.WakeUps;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
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
@ConditionalOnBean(DataSource.class)
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
            ObjectProvider<PayloadCodec> codec,
            ObjectProvider<EnqueueListener> listeners,
            ObjectProvider<HeaderSource> headers,
            ObjectProvider<PostriderCustomizer> customizers) {
        PostriderBuilder builder = Postrider.on(dataSource)
                .relayDataSource(relayPool.dataSource())
                .outboxTables(outboxTables(properties))
                .inboxTables(tables(properties, properties.inbox().tablePrefix()))
                .sagaTables(tables(properties, properties.saga().tablePrefix()))
                .namespace(namespace(properties))
                .transactions(transactions);
        codec.ifAvailable(builder::codec);
        builder.listener(all(listeners.orderedStream().toList()));
        headers.ifUnique(builder::headers);
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
        String schema = properties.schema().name();
        return SettingsException.checked(
                () -> schema == null
                        ? TableNames.of(prefix)
                        : TableNames.of(prefix).withSchema(schema),
                "The tables cannot be called '%s...'".formatted(schema == null ? prefix : schema + "." + prefix),
                "Correct postrider.schema.name and the table-prefix of postrider.outbox, postrider.inbox and"
                        + " postrider.saga");
    }

    // A message checks its namespace, and so the first enqueue would fail.
    private static String namespace(PostriderProperties properties) {
        String namespace = properties.outbox().namespace();
        SettingsException.checked(
                () -> OutboxMessage.to("topic", "type").namespace(namespace).build(),
                "postrider.outbox.namespace is '%s'".formatted(namespace),
                "Correct postrider.outbox.namespace");
        return namespace;
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
