package dev.postrider.spring.boot.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.Outbox;
import dev.postrider.all.Postrider;
import dev.postrider.relay.Relay;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spring.OutboxHandler;
import dev.postrider.spring.boot.Contexts;
import dev.postrider.spring.boot.Deliveries;
import dev.postrider.spring.boot.internal.AfterCommit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

final class RelayAutoConfigurationTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void committedMessageReachesItsHandler(Kind kind) {
        Contexts.on(kind)
                .withBean(Deliveries.class)
                .withPropertyValues("postrider.schema.mode=create-or-migrate")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Outbox outbox = context.getBean(Outbox.class);
                    TransactionTemplate transaction =
                            new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

                    transaction.executeWithoutResult(status -> outbox.enqueue(Contexts.message("a")));
                    transaction.executeWithoutResult(status -> {
                        outbox.enqueue(Contexts.message("b"));
                        status.setRollbackOnly();
                    });
                    transaction.executeWithoutResult(status -> outbox.enqueue(Contexts.message("c")));

                    List<String> delivered = context.getBean(Deliveries.class).payloads();
                    await().atMost(PATIENCE).until(() -> delivered.containsAll(List.of("a", "c")));
                    assertThat(delivered).containsExactlyInAnyOrder("a", "c");
                    assertThat(context.getBean(HealthIndicator.class).health())
                            .extracting(Health::getStatus)
                            .isEqualTo(Status.UP);
                });
    }

    @Test
    void embeddedDatabaseNeedsNoProperty() {
        Contexts.embedded()
                .withBean(Deliveries.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Relay.class)
                        .hasSingleBean(Postrider.class));
    }

    @Test
    void relayOfTheApplicationIsWokenByTheCommit() {
        Contexts.embedded()
                .withBean(Deliveries.class)
                .withPropertyValues("postrider.relay.poll-interval=10s")
                .run(context -> {
                    Relay relay = context.getBean(Relay.class);
                    await().atMost(PATIENCE).until(() -> relay.health().ownedShards() == 64);
                    AfterCommit afterCommit = context.getBean(AfterCommit.class);
                    List<String> woken = new CopyOnWriteArrayList<>();
                    afterCommit.add(() -> woken.add("woken"));
                    Outbox outbox = context.getBean(Outbox.class);
                    TransactionTemplate transaction =
                            new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

                    transaction.executeWithoutResult(status -> {
                        outbox.enqueue(Contexts.message("a"));
                        outbox.enqueue(Contexts.message("b"));
                        assertThat(woken).isEmpty();
                    });

                    assertThat(woken).containsExactly("woken");
                });
    }

    @Test
    void relayStopsWithTheContext() {
        Relay[] relay = new Relay[1];

        Contexts.embedded().withBean(Deliveries.class).run(context -> relay[0] = context.getBean(Relay.class));

        assertThat(relay[0].health().state().name()).isEqualTo("CLOSED");
    }

    @Test
    void applicationThatOnlyProducesHasNoRelay() {
        Contexts.embedded()
                .withPropertyValues("postrider.relay.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Outbox.class)
                        .doesNotHaveBean(Relay.class));
    }

    @Test
    void relayWithoutPublisherFailsTheStartAndListsWhatToDo() {
        Contexts.embedded().run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = Contexts.analysis(context);
            assertThat(analysis.getDescription()).contains("no publisher");
            assertThat(analysis.getAction())
                    .contains("@OutboxHandler", "postrider-kafka", "postrider.relay.enabled=false");
        });
    }

    @Test
    void publisherThatIsNamedButMissingFailsTheStart() {
        Contexts.embedded()
                .withBean(Deliveries.class)
                .withPropertyValues("postrider.topics.invoices.publisher=kafka")
                .withClassLoader(new FilteredClassLoader("dev.postrider.kafka", "org.springframework.kafka"))
                .run(context -> {
                    assertThat(context).hasFailed();
                    FailureAnalysis analysis = Contexts.analysis(context);
                    assertThat(analysis.getDescription())
                            .contains("postrider.topics.invoices.publisher", "available are handler, http");
                    assertThat(analysis.getAction()).contains("spring-boot-starter-kafka");
                });
    }

    @Test
    void missingTablesFailTheStartAndSayWhatToDo() {
        Contexts.embedded()
                .withBean(Deliveries.class)
                .withPropertyValues("postrider.schema.mode=validate")
                .run(context -> {
                    assertThat(context).hasFailed();
                    FailureAnalysis analysis = Contexts.analysis(context);
                    assertThat(analysis.getAction()).contains("postrider.schema.mode=create-or-migrate");
                });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18"})
    void databaseThatIsNotEmbeddedIsOnlyValidated(Kind kind) {
        Contexts.on(kind)
                .withBean(Deliveries.class)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("outbox"));
    }

    @Test
    void publisherBeanOfTheApplicationGetsEveryTopic() {
        List<String> sent = new CopyOnWriteArrayList<>();
        Contexts.embedded()
                .withBean(MessagePublisher.class, () -> MessagePublisher.each(message -> sent.add(message.topic())))
                .run(context -> {
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                            .executeWithoutResult(
                                    status -> context.getBean(Outbox.class).enqueue(Contexts.message("a")));

                    await().atMost(PATIENCE).until(() -> sent.contains("orders"));
                    assertThat(sent).containsExactly("orders");
                });
    }

    @Test
    void handlerThatCannotTakeAMessageFailsTheStart() {
        Contexts.embedded().withBean(Wrong.class).run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = Contexts.analysis(context);
            assertThat(analysis.getDescription()).contains("Wrong.take");
        });
    }

    /** A handler with two parameters. */
    static class Wrong {

        @OutboxHandler("orders")
        void take(String payload, int number) {}
    }
}
