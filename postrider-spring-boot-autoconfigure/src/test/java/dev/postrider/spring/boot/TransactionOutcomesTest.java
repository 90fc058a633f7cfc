package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postrider.Outbox;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;

/** A commit delivers the message. Whatever else becomes of the transaction, nothing is delivered. */
final class TransactionOutcomesTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int LONGER_THAN_THE_TIMEOUT = 10_000_000;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void onlyTheMessagesOfCommittedTransactionsAreDelivered(Kind kind) {
        run(Contexts.on(kind), TransactionOutcomesTest::onlyCommitsDeliver);
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void onlyTheMessagesOfCommittedTransactionsOfJpaAreDelivered(Kind kind) {
        run(
                Contexts.on(kind)
                        .withConfiguration(AutoConfigurations.of(HibernateJpaAutoConfiguration.class))
                        .withUserConfiguration(Jpa.class),
                context -> {
                    assertThat(context.getBean(PlatformTransactionManager.class))
                            .isInstanceOf(JpaTransactionManager.class);
                    onlyCommitsDeliver(context);
                });
    }

    private static void onlyCommitsDeliver(ApplicationContext context) {
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        transaction.executeWithoutResult(status -> enqueue(context, "first"));

        transaction.executeWithoutResult(status -> {
            enqueue(context, "rolled back");
            status.setRollbackOnly();
        });
        assertThatThrownBy(() -> transaction.executeWithoutResult(outer -> {
                    enqueue(context, "marked by an inner one");
                    transaction.executeWithoutResult(TransactionStatus::setRollbackOnly);
                }))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    enqueue(context, "exception");
                    throw new IllegalStateException("after the enqueue");
                }))
                .hasMessage("after the enqueue");
        runsOutOfTime(context, "timed out in a statement", () -> touch(context));
        runsOutOfTime(context, "timed out in an enqueue", () -> enqueue(context, "too late"));
        transaction.executeWithoutResult(status -> enqueue(context, "last"));

        List<String> delivered = context.getBean(Deliveries.class).payloads();
        await().atMost(PATIENCE).until(() -> delivered.contains("last"));
        assertThat(delivered).containsExactlyInAnyOrder("first", "last");
    }

    private static void runsOutOfTime(ApplicationContext context, String message, Runnable work) {
        TransactionTemplate hurried = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        hurried.setTimeout(1);
        assertThatThrownBy(() -> hurried.executeWithoutResult(status -> {
                    enqueue(context, message);
                    IntStream.range(0, LONGER_THAN_THE_TIMEOUT).forEach(again -> work.run());
                }))
                .isInstanceOf(TransactionTimedOutException.class);
    }

    private static void touch(ApplicationContext context) {
        try {
            new JdbcTemplate(context.getBean(DataSource.class)).queryForObject("select 1", Integer.class);
        } catch (DataAccessException e) {
            // The driver may notice the timeout first; then the next statement is too late as well.
            assertThat(e).isNotNull();
        }
    }

    private static void run(ApplicationContextRunner runner, Consumer<ApplicationContext> test) {
        runner.withBean(Deliveries.class)
                .withPropertyValues("postrider.schema.mode=create-or-migrate")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    test.accept(context);
                });
    }

    private static void enqueue(ApplicationContext context, String text) {
        context.getBean(Outbox.class).enqueue(Contexts.message(text));
    }

    /** Says where entities are looked for: there are none. */
    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationPackage
    static class Jpa {}
}
