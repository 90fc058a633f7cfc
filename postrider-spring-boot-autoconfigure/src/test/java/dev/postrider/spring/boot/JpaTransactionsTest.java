package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.all.Postrider;
import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.InboxException;
import dev.postrider.inbox.InboxResult;
import dev.postrider.inbox.ParkReason;
import dev.postrider.inbox.ReceivedMessage;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.saga.DurableSaga;
import dev.postrider.saga.DurableSagaDefinition;
import dev.postrider.saga.Saga;
import dev.postrider.saga.SagaDefinition;
import dev.postrider.saga.SagaEngine;
import dev.postrider.saga.SagaHandle;
import dev.postrider.saga.SagaStatus;
import dev.postrider.services.Database.Kind;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;

/** Entities that a handler or a step changes are written in its transaction, and their errors are its failures. */
final class JpaTransactionsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void entityOfTheHandlerCommitsWithTheMarkOnce(Kind kind) {
        run(kind, context -> {
            Shelf shelf = context.getBean(Shelf.class);

            InboxResult<Void> first = process(context, "id-1", () -> shelf.put("a", 1));
            InboxResult<Void> again = process(context, "id-1", () -> shelf.put("a", 2));

            assertThat(context.getBean(PlatformTransactionManager.class)).isInstanceOf(JpaTransactionManager.class);
            assertThat(first).isInstanceOf(InboxResult.Processed.class);
            assertThat(again).isInstanceOf(InboxResult.Duplicate.class);
            assertThat(shelf.count()).isEqualTo(1);
            assertThat(context.getBean(Postrider.class).admin().stats().pending())
                    .isEqualTo(1);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void entityOfAFailedHandlerIsNotWritten(Kind kind) {
        run(kind, context -> {
            Shelf shelf = context.getBean(Shelf.class);

            assertThatThrownBy(() -> process(context, "id-1", () -> {
                        shelf.put("a", 1);
                        throw new IllegalStateException("broken");
                    }))
                    .isInstanceOf(InboxException.class);

            assertThat(shelf.count()).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void errorOfTheFlushIsAFailureOfTheHandlerAndParksTheMessage(Kind kind) {
        run(kind, context -> {
            Shelf shelf = context.getBean(Shelf.class);
            process(context, "id-1", () -> shelf.put("a", 1));

            assertThatThrownBy(() -> process(context, "id-2", () -> shelf.put("b", 1)))
                    .isInstanceOfSatisfying(
                            InboxException.class,
                            e -> assertThat(e.reason()).isEqualTo(InboxException.Reason.HANDLER_FAILED));
            InboxResult<Void> second = process(context, "id-2", () -> shelf.put("b", 1));

            assertThat(second).isEqualTo(new InboxResult.Parked<>(ParkReason.FAILED));
            assertThat(shelf.count()).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void errorOfTheFlushIsAFailureOfTheStepAndEndsTheSaga(Kind kind) {
        run(kind, context -> {
            Shelf shelf = context.getBean(Shelf.class);
            DurableSaga<String> sagas = engine(context).saga(saga(context));

            SagaHandle<String> first = sagas.start("order-1", "a");
            await().atMost(PATIENCE).until(() -> !first.result().status().active());
            SagaHandle<String> second = sagas.start("order-2", "b");
            await().atMost(PATIENCE).until(() -> !second.result().status().active());

            assertThat(first.result().status()).isEqualTo(SagaStatus.COMPLETED);
            assertThat(second.result().status()).isEqualTo(SagaStatus.COMPENSATED);
            assertThat(shelf.count()).isEqualTo(1);
        });
    }

    private static void run(Kind kind, Consumer<ApplicationContext> test) {
        Contexts.on(kind)
                .withConfiguration(AutoConfigurations.of(HibernateJpaAutoConfiguration.class))
                .withUserConfiguration(Application.class)
                .withPropertyValues(
                        "spring.jpa.hibernate.ddl-auto=update",
                        "spring.jpa.open-in-view=false",
                        "postrider.schema.mode=create-or-migrate",
                        "postrider.relay.enabled=false",
                        "postrider.inbox.park-after=2")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    test.accept(context);
                });
    }

    private static SagaEngine engine(ApplicationContext context) {
        return context.getBean(SagaEngine.class);
    }

    @SuppressWarnings("unchecked")
    private static DurableSagaDefinition<String> saga(ApplicationContext context) {
        return (DurableSagaDefinition<String>) context.getBean(SagaDefinition.class);
    }

    private static InboxResult<Void> process(ApplicationContext context, String id, Runnable work) {
        ReceivedMessage message = ReceivedMessage.from("orders").id(id).build();
        return context.getBean(Inbox.class).process(message, "billing", transaction -> {
            transaction.enqueue(OutboxMessage.to("shelf", "filled").build());
            work.run();
            return null;
        });
    }

    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationPackage
    static class Application {

        @Bean
        Shelf shelf(EntityManagerFactory factory) {
            return new Shelf(SharedEntityManagerCreator.createSharedEntityManager(factory));
        }

        @Bean
        DurableSagaDefinition<String> fill(Shelf shelf) {
            return Saga.define("fill", String.class)
                    .codec(new Text())
                    .durable()
                    .step(
                            "put",
                            step -> step.action((name, transaction) -> {
                                        shelf.put(name, 1);
                                        return name;
                                    })
                                    .compensate((name, transaction) -> {})
                                    .retry(RetryPolicy.exponential(Duration.ofMillis(1), Duration.ofMillis(2), 1)))
                    .build();
        }
    }

    /** A repository with JPA. */
    @Transactional
    static class Shelf {

        private final EntityManager entities;

        Shelf(EntityManager entities) {
            this.entities = entities;
        }

        void put(String name, int place) {
            entities.persist(new Book(name, place));
        }

        long count() {
            return entities.createQuery("select count(b) from Book b", Long.class)
                    .getSingleResult();
        }
    }

    /** Two books cannot have one place. */
    @Entity(name = "Book")
    static class Book {

        @Id
        private String name = "";

        @Column(unique = true)
        private int place;

        protected Book() {}

        Book(String name, int place) {
            this.name = name;
            this.place = place;
        }
    }
}
