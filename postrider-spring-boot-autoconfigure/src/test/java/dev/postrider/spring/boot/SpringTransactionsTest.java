package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.MessageStatus;
import dev.postrider.Outbox;
import dev.postrider.OutboxException;
import dev.postrider.all.Postrider;
import dev.postrider.services.Database.Kind;
import dev.postrider.spring.NoTransactionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The propagation of Spring's transactions decides what happens to a message. */
final class SpringTransactionsTest {

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void messageOfARequiresNewTransactionOutlivesTheRollbackOfTheOuterOne(Kind kind) {
        run(kind, context -> {
            transaction(context, TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(outer -> {
                enqueue(context, "outer");
                transaction(context, TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                        .executeWithoutResult(inner -> enqueue(context, "inner"));
                outer.setRollbackOnly();
            });

            assertThat(stored(context)).containsExactly("inner");
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void messageOfARequiredTransactionVanishesWithTheOuterOne(Kind kind) {
        run(kind, context -> {
            transaction(context, TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(outer -> {
                transaction(context, TransactionDefinition.PROPAGATION_REQUIRED)
                        .executeWithoutResult(inner -> enqueue(context, "inner"));
                outer.setRollbackOnly();
            });

            assertThat(stored(context)).isEmpty();
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void messageOfANestedTransactionVanishesWithItsSavepoint(Kind kind) {
        run(kind, context -> {
            transaction(context, TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(outer -> {
                enqueue(context, "outer");
                transaction(context, TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult(inner -> {
                    enqueue(context, "inner");
                    inner.setRollbackOnly();
                });
            });

            assertThat(stored(context)).containsExactly("outer");
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void exceptionAfterTheEnqueueTakesTheMessageBack(Kind kind) {
        run(kind, context -> {
            assertThatThrownBy(() -> transaction(context, TransactionDefinition.PROPAGATION_REQUIRED)
                            .executeWithoutResult(status -> {
                                enqueue(context, "lost");
                                throw new IllegalStateException("after the enqueue");
                            }))
                    .hasMessage("after the enqueue");

            assertThat(stored(context)).isEmpty();
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void readOnlyTransactionIsRefused(Kind kind) {
        run(kind, context -> {
            TransactionTemplate readOnly = transaction(context, TransactionDefinition.PROPAGATION_REQUIRED);
            readOnly.setReadOnly(true);

            readOnly.executeWithoutResult(status -> assertThatThrownBy(() -> enqueue(context, "a"))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("readOnly"));

            assertThat(stored(context)).isEmpty();
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void enqueueAfterTheCommitIsRefusedAndOneInANewTransactionIsNot(Kind kind) {
        run(kind, context -> {
            List<Throwable> refused = new ArrayList<>();
            transaction(context, TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> {
                enqueue(context, "before");
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        failure(() -> enqueue(context, "after")).ifPresent(refused::add);
                        transaction(context, TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                                .executeWithoutResult(again -> enqueue(context, "new"));
                        failure(() -> enqueue(context, "after the new one")).ifPresent(refused::add);
                    }

                    @Override
                    public void afterCompletion(int completion) {
                        failure(() -> enqueue(context, "completed")).ifPresent(refused::add);
                    }
                });
            });

            assertThat(refused)
                    .hasSize(3)
                    .allSatisfy(failure -> assertThat(failure).isInstanceOf(NoTransactionException.class));
            assertThat(stored(context)).containsExactly("before", "new");
        });
    }

    @Test
    void nextTransactionOfAThreadIsNotTakenForTheCommittedOne() {
        run(Kind.H2, context -> {
            TransactionTemplate transaction = transaction(context, TransactionDefinition.PROPAGATION_REQUIRED);

            transaction.executeWithoutResult(status -> enqueue(context, "first"));
            transaction.executeWithoutResult(status -> enqueue(context, "second"));

            assertThat(stored(context)).containsExactly("first", "second");
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void enqueueWithoutTransactionIsRefused(Kind kind) {
        run(kind, context -> {
            assertThatThrownBy(() -> enqueue(context, "a"))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("@Transactional");
            transaction(context, TransactionDefinition.PROPAGATION_SUPPORTS)
                    .executeWithoutResult(status ->
                            assertThatThrownBy(() -> enqueue(context, "a")).isInstanceOf(NoTransactionException.class));
            transaction(context, TransactionDefinition.PROPAGATION_REQUIRED)
                    .executeWithoutResult(outer -> transaction(context, TransactionDefinition.PROPAGATION_NOT_SUPPORTED)
                            .executeWithoutResult(inner -> assertThatThrownBy(() -> enqueue(context, "a"))
                                    .isInstanceOf(NoTransactionException.class)));

            assertThat(stored(context)).isEmpty();
        });
    }

    @Test
    void transactionOfAnotherDataSourceIsRefused() {
        run(Kind.H2, context -> {
            JdbcDataSource other = new JdbcDataSource();
            other.setUrl("jdbc:h2:mem:another");
            TransactionTemplate elsewhere = new TransactionTemplate(new JdbcTransactionManager(other));

            elsewhere.executeWithoutResult(status -> assertThatThrownBy(() -> enqueue(context, "a"))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("data source"));

            assertThat(stored(context)).isEmpty();
        });
    }

    @Test
    void connectionBorrowedInATransactionOfAnotherDataSourceIsRefused() {
        run(Kind.H2, context -> {
            JdbcDataSource other = new JdbcDataSource();
            other.setUrl("jdbc:h2:mem:another");
            DataSource own = context.getBean(DataSource.class);
            TransactionTemplate elsewhere = new TransactionTemplate(new JdbcTransactionManager(other));

            elsewhere.executeWithoutResult(status -> {
                org.springframework.jdbc.datasource.DataSourceUtils.getConnection(own);
                assertThatThrownBy(() -> enqueue(context, "a")).isInstanceOf(OutboxException.class);
            });

            assertThat(stored(context)).isEmpty();
        });
    }

    private static Optional<Throwable> failure(Runnable work) {
        try {
            work.run();
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(e);
        }
    }

    private static void run(Kind kind, Consumer<ApplicationContext> test) {
        Contexts.on(kind)
                .withPropertyValues("postrider.schema.mode=create-or-migrate", "postrider.relay.enabled=false")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    test.accept(context);
                });
    }

    private static TransactionTemplate transaction(ApplicationContext context, int propagation) {
        TransactionTemplate template = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        template.setPropagationBehavior(propagation);
        return template;
    }

    private static void enqueue(ApplicationContext context, String key) {
        context.getBean(Outbox.class).enqueue(Contexts.message(key));
    }

    private static List<String> stored(ApplicationContext context) {
        return context.getBean(Postrider.class).admin().list(MessageStatus.PENDING, 0, 10).stream()
                .map(message -> message.message().key().orElseThrow())
                .toList();
    }
}
