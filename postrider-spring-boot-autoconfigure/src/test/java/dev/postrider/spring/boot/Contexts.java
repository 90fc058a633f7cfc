package dev.postrider.spring.boot;

import dev.postrider.OutboxMessage;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;

/** Application contexts with the auto-configuration and a database. */
final class Contexts {

    private Contexts() {}

    /** A context on an embedded database with a name of its own. */
    static ApplicationContextRunner embedded() {
        return plain().withPropertyValues("spring.datasource.generate-unique-name=true");
    }

    /** A context on a fresh database of a real server; skips the test where that cannot be started. */
    static ApplicationContextRunner on(Kind kind) {
        Availability availability = Database.available(kind);
        Assumptions.assumeTrue(availability.available(), availability::reason);
        Database database = Database.shared(kind).freshDatabase();
        return plain().withPropertyValues(
                        "spring.datasource.url=" + database.jdbcUrl(),
                        "spring.datasource.username=" + database.user(),
                        "spring.datasource.password=" + database.password());
    }

    /** As {@link #on}, with user and password in the URL. */
    static ApplicationContextRunner withUrlOf(Kind kind) {
        Availability availability = Database.available(kind);
        Assumptions.assumeTrue(availability.available(), availability::reason);
        Database database = Database.shared(kind).freshDatabase();
        return plain().withPropertyValues("spring.datasource.url=%s%suser=%s&password=%s"
                .formatted(
                        database.jdbcUrl(),
                        database.jdbcUrl().contains("?") ? "&" : "?",
                        database.user(),
                        database.password()));
    }

    private static ApplicationContextRunner plain() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        PostriderAutoConfiguration.class,
                        PostriderEndpointAutoConfiguration.class,
                        PostriderEventAutoConfiguration.class,
                        PostriderHealthAutoConfiguration.class,
                        PostriderHttpAutoConfiguration.class,
                        PostriderInboxAutoConfiguration.class,
                        PostriderInboxKafkaAutoConfiguration.class,
                        PostriderInboxListenerAutoConfiguration.class,
                        PostriderInboxRabbitAutoConfiguration.class,
                        PostriderKafkaAutoConfiguration.class,
                        PostriderListenerAutoConfiguration.class,
                        PostriderMetricsAutoConfiguration.class,
                        PostriderPayloadAutoConfiguration.class,
                        PostriderRabbitAutoConfiguration.class,
                        PostriderRelayAutoConfiguration.class,
                        PostriderRetentionAutoConfiguration.class,
                        PostriderSagaAutoConfiguration.class,
                        PostriderSagaPurgeAutoConfiguration.class));
    }

    /** Returns what the analyzer says about a start that failed. */
    static FailureAnalysis analysis(AssertableApplicationContext context, FailureAnalyzer analyzer) {
        return Objects.requireNonNull(analyzer.analyze(Objects.requireNonNull(context.getStartupFailure())));
    }

    static OutboxMessage message(String key) {
        return OutboxMessage.to("orders", "order-placed").key(key).payload(key).build();
    }
}
