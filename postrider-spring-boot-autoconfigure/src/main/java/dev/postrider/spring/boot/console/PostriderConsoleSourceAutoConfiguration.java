package dev.postrider.spring.boot.console;

import dev.postrider.all.Postrider;
import dev.postrider.all.PostriderBuilder;
import dev.postrider.console.ConsoleApi;
import dev.postrider.console.ConsoleSource;
import dev.postrider.console.DevTools;
import dev.postrider.console.TopicProbe;
import dev.postrider.console.doctor.DoctorCheck;
import dev.postrider.console.live.RelayFigures;
import dev.postrider.database.TableNames;
import dev.postrider.relay.Relay;
import dev.postrider.spring.boot.PostriderCustomizer;
import dev.postrider.spring.boot.PostriderProperties;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Shows the database and the relay of an application context to the console. */
@AutoConfiguration(afterName = "dev.postrider.spring.boot.PostriderAutoConfiguration")
@ConditionalOnClass(ConsoleApi.class)
@ConditionalOnBean(Postrider.class)
@ConditionalOnBooleanProperty("postrider.console.enabled")
final class PostriderConsoleSourceAutoConfiguration {

    @Bean
    RelayFigures postriderRelayFigures() {
        return new RelayFigures();
    }

    @Bean
    ConsolePool postriderConsolePool(DataSource dataSource, PostriderProperties properties) {
        return ConsolePool.of(dataSource, properties.console());
    }

    @Bean
    @ConditionalOnMissingBean
    ConsoleSource postriderConsoleSource(
            ConsolePool pool,
            PostriderProperties properties,
            Environment environment,
            RelayFigures figures,
            ObjectProvider<Relay> relays,
            ObjectProvider<PostriderCustomizer> customizers,
            ObjectProvider<DoctorCheck> checks,
            ObjectProvider<TopicProbe> probe,
            ObjectProvider<DevTools> devTools) {
        PostriderBuilder handle = Postrider.on(pool.dataSource())
                .outboxTables(tables(properties, properties.outbox().tablePrefix()))
                .inboxTables(tables(properties, properties.inbox().tablePrefix()))
                .sagaTables(tables(properties, properties.saga().tablePrefix()))
                .namespace(properties.outbox().namespace());
        customizers.orderedStream().forEach(customizer -> customizer.customize(handle));
        ConsoleSource.Builder builder = ConsoleSource.builder(
                        properties.console().source(), handle.build(), pool.dataSource())
                .figures(figures)
                .relays(() -> relays.stream().toList())
                .settings(() -> ConsoleSettings.of(environment, properties));
        checks.orderedStream().forEach(builder::check);
        probe.ifAvailable(builder::probe);
        devTools.ifAvailable(builder::devTools);
        return builder.build();
    }

    private static TableNames tables(PostriderProperties properties, String prefix) {
        String schema = properties.schema().name();
        return schema == null ? TableNames.of(prefix) : TableNames.of(prefix).withSchema(schema);
    }
}
