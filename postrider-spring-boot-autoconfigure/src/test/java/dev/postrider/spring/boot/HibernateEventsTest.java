package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.all.Postrider;
import dev.postrider.hibernate.AggregateRoot;
import dev.postrider.hibernate.EventMapper;
import dev.postrider.services.Database.Kind;
import dev.postrider.spring.OutboxEvent;
import dev.postrider.spring.OutboxHandler;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Events that entities record are enqueued in the transaction of their repository, which knows nothing of it. */
final class HibernateEventsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void eventsOfAnEntityOfTheEntityManagerAreDeliveredAfterTheCommit(Kind kind) {
        jpa(kind).withBean(Letters.class).withBean(SimpleMeterRegistry.class).run(context -> {
            assertThat(context).hasNotFailed();

            context.getBean(Counter.class).buy("ticket-1");

            List<String> letters = context.getBean(Letters.class).taken;
            await().atMost(PATIENCE).until(() -> letters.contains("Ticket ticket-1"));
            assertThat(letters).hasSize(1);
            assertThat(context.getBean(MeterRegistry.class)
                            .get("postrider.outbox.stored")
                            .counter()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void eventsOfAnEntityOfASpringDataRepositoryAreEnqueuedOnce() {
        producer(Kind.H2).run(context -> {
            Tickets tickets = context.getBean(Tickets.class);

            // The identifier is set, so the repository merges it and the events are those of the detached instance.
            tickets.save(new Ticket("ticket-1").sell());
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(
                            status -> tickets.findById("ticket-1").orElseThrow().sell());

            assertThat(messages(context)).extracting(OutboxMessage::topic).containsExactly("tickets", "tickets");
            assertThat(messages(context))
                    .extracting(message -> message.key().orElseThrow())
                    .containsExactly("ticket-1", "ticket-1");
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "H2"})
    void transactionThatFailsEnqueuesNothing(Kind kind) {
        producer(kind).run(context -> {
            Counter counter = context.getBean(Counter.class);

            assertThatThrownBy(() -> counter.refuse("ticket-1")).hasMessage("sold out");

            assertThat(messages(context)).isEmpty();
            counter.buy("ticket-1");
            assertThat(messages(context)).hasSize(1);
        });
    }

    @Test
    void eventWithoutATopicGoesToTheTopicOfItsEntity() {
        producer(Kind.H2).run(context -> {
            context.getBean(Counter.class).lose("ticket-1");

            assertThat(messages(context)).singleElement().satisfies(message -> {
                assertThat(message.topic()).isEqualTo("Ticket");
                assertThat(message.key()).contains("ticket-1");
                assertThat(message.headers()).containsEntry("aggregate-type", "Ticket");
            });
        });
    }

    @Test
    void classThatIsNotRegisteredKeepsItsEntityFromBeingStored() {
        producer(Kind.H2).run(context -> {
            assertThatThrownBy(() -> context.getBean(Counter.class).announce("ticket-1", "not registered"))
                    .hasStackTraceContaining("java.lang.String");

            assertThat(messages(context)).isEmpty();
            assertThat(context.getBean(Tickets.class).count()).isZero();
        });
    }

    @Test
    void mapperBeanOfTheApplicationReplacesTheDefault() {
        producer(Kind.H2)
                .withBean(
                        EventMapper.class,
                        () -> recorded -> OutboxMessage.to("mapped", "event")
                                .payload("{}")
                                .build())
                .run(context -> {
                    context.getBean(Counter.class).buy("ticket-1");

                    assertThat(messages(context))
                            .extracting(OutboxMessage::topic)
                            .containsExactly("mapped");
                });
    }

    @Test
    void integrationCanBeSwitchedOff() {
        producer(Kind.H2)
                .withPropertyValues("postrider.hibernate.enabled=false")
                .run(context -> {
                    context.getBean(Counter.class).buy("ticket-1");

                    assertThat(messages(context)).isEmpty();
                });
    }

    @Test
    void scriptsThatWaitForHibernateDoNotMakeACircle() {
        producer(Kind.H2)
                .withPropertyValues("spring.jpa.defer-datasource-initialization=true", "spring.sql.init.mode=always")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean(Counter.class).buy("ticket-1");

                    assertThat(messages(context)).hasSize(1);
                });
    }

    @Test
    void applicationWithoutHibernateStarts() {
        Contexts.embedded()
                .withBean(Deliveries.class)
                .withClassLoader(new FilteredClassLoader("org.hibernate", "jakarta.persistence"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(EventMapper.class));
    }

    private static ApplicationContextRunner producer(Kind kind) {
        return jpa(kind).withPropertyValues("postrider.relay.enabled=false");
    }

    private static ApplicationContextRunner jpa(Kind kind) {
        return Contexts.on(kind)
                .withConfiguration(AutoConfigurations.of(HibernateJpaAutoConfiguration.class))
                .withUserConfiguration(Application.class)
                .withPropertyValues(
                        "spring.jpa.hibernate.ddl-auto=update",
                        "postrider.schema.mode=create-or-migrate",
                        "postrider.payload.types.sold=" + Sold.class.getName(),
                        "postrider.payload.types.lost=" + Lost.class.getName());
    }

    private static List<OutboxMessage> messages(ApplicationContext context) {
        return context.getBean(Postrider.class).admin().list(MessageStatus.PENDING, 0, 10).stream()
                .map(stored -> stored.message())
                .toList();
    }

    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationPackage
    @EnableJpaRepositories(considerNestedRepositories = true, basePackageClasses = Tickets.class)
    static class Application {

        @Bean
        Counter counter(EntityManagerFactory factory) {
            return new Counter(SharedEntityManagerCreator.createSharedEntityManager(factory));
        }
    }

    /** A repository of Spring Data. */
    interface Tickets extends JpaRepository<Ticket, String> {}

    /** A repository with an EntityManager. */
    @Transactional
    static class Counter {

        private final EntityManager entities;

        Counter(EntityManager entities) {
            this.entities = entities;
        }

        void buy(String id) {
            entities.persist(new Ticket(id).sell());
        }

        void refuse(String id) {
            buy(id);
            entities.flush();
            throw new IllegalStateException("sold out");
        }

        void lose(String id) {
            announce(id, new Lost(id));
        }

        void announce(String id, Object event) {
            entities.persist(new Ticket(id).record(event));
        }
    }

    /** Receives what was sold. */
    static class Letters {

        private final List<String> taken = new CopyOnWriteArrayList<>();

        @OutboxHandler("tickets")
        void take(OutboxMessage message) {
            taken.add(message.headers().get("aggregate-type") + " "
                    + message.key().orElseThrow());
        }
    }

    @OutboxEvent(topic = "tickets", key = "#{ticket}")
    record Sold(String ticket) {}

    record Lost(String ticket) {}

    @Entity(name = "Ticket")
    static class Ticket extends AggregateRoot {

        @Id
        private String id = "";

        protected Ticket() {}

        Ticket(String id) {
            this.id = id;
        }

        Ticket sell() {
            return record(new Sold(id));
        }

        Ticket record(Object event) {
            recordEvent(event);
            return this;
        }
    }
}
