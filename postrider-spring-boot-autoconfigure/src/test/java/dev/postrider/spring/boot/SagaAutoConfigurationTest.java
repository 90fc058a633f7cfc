package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.all.Postrider;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.saga.LocalSagaDefinition;
import dev.postrider.saga.Saga;
import dev.postrider.saga.SagaDefinition;
import dev.postrider.saga.SagaEngine;
import dev.postrider.saga.SagaHandle;
import dev.postrider.saga.SagaListener;
import dev.postrider.saga.SagaStatus;
import dev.postrider.services.Database.Kind;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Sagas that are beans run in Spring's transactions. */
final class SagaAutoConfigurationTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final RetryPolicy ONCE = RetryPolicy.exponential(Duration.ofMillis(1), Duration.ofMillis(2), 1);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void stepsOfADurableSagaUseRepositoriesAndListenersAreTold(Kind kind) {
        on(kind).run(context -> {
            assertThat(context).hasNotFailed();
            SagaHandle<String> handle =
                    context.getBean(SagaEngine.class).saga(saga(context)).start("order-42", "42");

            await().atMost(PATIENCE).until(() -> handle.result().status() == SagaStatus.COMPLETED);

            Witness witness = context.getBean(Witness.class);
            await().atMost(PATIENCE).until(() -> witness.ended.contains(SagaStatus.COMPLETED));
            assertThat(context.getBean(Invoices.class).numbers()).containsExactly("42");
            assertThat(pending(context)).isEqualTo(2);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void repositoryOfAStepThatFailsIsRolledBack(Kind kind) {
        on(kind).run(context -> {
            assertThat(context).hasNotFailed();
            SagaHandle<String> handle =
                    context.getBean(SagaEngine.class).saga(saga(context)).start("order-bad", "bad");

            await().atMost(PATIENCE).until(() -> !handle.result().status().active());

            assertThat(handle.result().status()).isEqualTo(SagaStatus.COMPENSATED);
            assertThat(context.getBean(Invoices.class).numbers()).isEmpty();
            assertThat(pending(context)).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void sagaInOneTransactionCommitsItsRepositoriesOrNothing(Kind kind) {
        on(kind).run(context -> {
            assertThat(context).hasNotFailed();
            SagaEngine engine = context.getBean(SagaEngine.class);

            SagaStatus good = engine.saga(saga(context)).execute("42").status();
            SagaStatus bad = engine.saga(saga(context)).execute("bad").status();

            assertThat(List.of(good, bad)).containsExactly(SagaStatus.COMPLETED, SagaStatus.ROLLED_BACK);
            assertThat(context.getBean(Invoices.class).numbers()).containsExactly("42");
            assertThat(pending(context)).isEqualTo(2);
        });
    }

    @Test
    void disabledEngineStartsSagasAndRunsNone() {
        on(Kind.H2).withPropertyValues("postrider.saga.enabled=false").run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean("postriderSagaLifecycle");
            SagaEngine engine = context.getBean(SagaEngine.class);

            SagaHandle<String> handle = engine.saga(saga(context)).start("order-42", "42");

            assertThat(engine.turn()).isEqualTo(1);
            assertThat(handle.result().status()).isEqualTo(SagaStatus.COMPLETED);
        });
    }

    @Test
    void applicationWithoutSagasHasNoEngine() {
        Contexts.embedded()
                .withPropertyValues("postrider.relay.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(SagaEngine.class));
    }

    private static ApplicationContextRunner on(Kind kind) {
        return Contexts.on(kind)
                .withBean(Invoices.class)
                .withBean(Witness.class)
                .withUserConfiguration(Sagas.class)
                .withPropertyValues("postrider.schema.mode=create-or-migrate", "postrider.relay.enabled=false");
    }

    @SuppressWarnings("unchecked")
    private static LocalSagaDefinition<String> saga(ApplicationContext context) {
        return (LocalSagaDefinition<String>) context.getBean(SagaDefinition.class);
    }

    private static long pending(ApplicationContext context) {
        return context.getBean(Postrider.class).admin().stats().pending();
    }

    @Configuration(proxyBeanMethods = false)
    static class Sagas {

        @Bean
        LocalSagaDefinition<String> placeOrder(Invoices invoices) {
            return Saga.define("place-order", String.class)
                    .codec(new Text())
                    .step(
                            "bill",
                            step -> step.action((order, transaction) -> {
                                        invoices.insertAndTell(order);
                                        transaction.enqueue(OutboxMessage.to("orders", "billed")
                                                .build());
                                        if (order.equals("bad")) {
                                            throw new IllegalStateException("bad order");
                                        }
                                        return order;
                                    })
                                    .compensate((order, transaction) -> {})
                                    .retry(ONCE))
                    .build();
        }
    }

    /** Hears of the end of sagas. */
    static class Witness implements SagaListener {

        private final List<SagaStatus> ended = new CopyOnWriteArrayList<>();

        @Override
        public void ended(String saga, UUID id, SagaStatus status) {
            ended.add(status);
        }
    }
}
