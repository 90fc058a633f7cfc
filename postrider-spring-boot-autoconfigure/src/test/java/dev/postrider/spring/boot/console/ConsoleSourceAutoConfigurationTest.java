package dev.postrider.spring.boot.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.console.ConsoleSource;
import dev.postrider.console.SourceSetting;
import dev.postrider.services.Database.Kind;
import dev.postrider.spring.boot.Contexts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the console sees of an application's database. */
final class ConsoleSourceAutoConfigurationTest {

    @Test
    void anApplicationHasNoConsoleUnlessItAsksForOne() {
        Contexts.embedded()
                .withPropertyValues("postrider.relay.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ConsoleSource.class));
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2", "POSTGRES_18", "MARIADB", "MYSQL"})
    void theConsoleHasAPoolOfItsOwnWhoseStatementsEnd(Kind kind) {
        Contexts.on(kind)
                .withPropertyValues(
                        "postrider.schema.mode=create-or-migrate",
                        "postrider.relay.enabled=false",
                        "postrider.console.enabled=true",
                        "postrider.console.source=shop",
                        "postrider.console.statement-timeout=7s")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    ConsoleSource source = context.getBean(ConsoleSource.class);

                    assertThat(source.name()).isEqualTo("shop");
                    assertThat(source.postrider().admin().stats().pending()).isZero();
                    try (Connection connection = source.dataSource().getConnection();
                            Statement statement = connection.createStatement();
                            ResultSet limit = statement.executeQuery(limit(kind))) {
                        limit.next();
                        assertThat(limit.getString(1)).startsWith("7");
                    }
                });
    }

    private static String limit(Kind kind) {
        return switch (kind) {
            case H2 -> "select setting_value from information_schema.settings where setting_name = 'QUERY_TIMEOUT'";
            case MARIADB -> "select @@session.max_statement_time";
            case MYSQL -> "select @@session.max_execution_time";
            default -> "show statement_timeout";
        };
    }

    @Test
    void settingsTellTheirOriginAndKeepTheirSecrets() {
        Contexts.embedded()
                .withPropertyValues(
                        "postrider.relay.enabled=false",
                        "postrider.relay.batch-size=7",
                        "postrider.console.enabled=true",
                        "spring.kafka.properties.sasl.jaas.config=canary-1",
                        "spring.rabbitmq.addresses=amqp://shop:canary-2@localhost/",
                        "spring.datasource.hikari.data-source-properties.sslpassword=canary-3")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    List<SourceSetting> settings =
                            context.getBean(ConsoleSource.class).settings();

                    assertThat(settings).noneMatch(each -> each.value().contains("canary"));
                    assertThat(named(settings, "postrider.relay.batch-size")).hasValueSatisfying(each -> {
                        assertThat(each.value()).isEqualTo("7");
                        assertThat(each.origin()).contains("test");
                    });
                    assertThat(named(settings, "postrider.inbox.park-after"))
                            .hasValueSatisfying(
                                    each -> assertThat(each.origin()).isEqualTo("default"));
                });
    }

    private static Optional<SourceSetting> named(List<SourceSetting> settings, String name) {
        return settings.stream().filter(each -> each.name().equals(name)).findFirst();
    }
}
