package dev.postrider.spring.boot;

import dev.postrider.OutboxMessage;
import dev.postrider.services.Availability;
import dev.postrider.services.Database;
import dev.postrider.services.Database.Kind;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.util.ClassUtils;

/** Application contexts with the auto-configuration and a database. */
public final class Contexts {

    private Contexts() {}

    /** A context on an embedded database with a name of its own. */
    public static ApplicationContextRunner embedded() {
        return plain().withPropertyValues("spring.datasource.generate-unique-name=true");
    }

    /** A context on a fresh database of a real server; skips the test where that cannot be started. */
    public static ApplicationContextRunner on(Kind kind) {
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
                        TransactionAutoConfiguration.class))
                .withConfiguration(AutoConfigurations.of(ours()));
    }

    /** Every class of the file that Spring Boot reads. */
    private static Class<?>[] ours() {
        ClassLoader loader = Contexts.class.getClassLoader();
        return ImportCandidates.load(AutoConfiguration.class, loader).getCandidates().stream()
                .filter(name -> name.startsWith("dev.postrider."))
                .map(name -> ClassUtils.resolveClassName(name, loader))
                .toArray(Class<?>[]::new);
    }

    /** Returns what the first analyzer of the class path says about a start that failed. */
    public static FailureAnalysis analysis(AssertableApplicationContext context) {
        Throwable failure = Objects.requireNonNull(context.getStartupFailure());
        return StartFailures.analysis(failure, ArgumentResolver.none());
    }

    public static OutboxMessage message(String key) {
        return OutboxMessage.to("orders", "order-placed").key(key).payload(key).build();
    }
}
