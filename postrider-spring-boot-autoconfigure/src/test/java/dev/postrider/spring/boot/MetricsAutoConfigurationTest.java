package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postrider.Outbox;
import dev.postrider.OutboxMessage;
import dev.postrider.micrometer.InboxMetrics;
import dev.postrider.micrometer.PostriderMetrics;
import dev.postrider.micrometer.SagaMetrics;
import dev.postrider.services.Database.Kind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

final class MetricsAutoConfigurationTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void storedMessagesAreCountedAfterTheCommitOnly(Kind kind) {
        run(kind, context -> {
            in(context, TransactionDefinition.PROPAGATION_REQUIRED, status -> {
                enqueue(context, "placed");
                enqueue(context, "placed");
                enqueue(context, "cancelled");
                assertThat(stored(context, "placed")).isZero();
            });
            in(context, TransactionDefinition.PROPAGATION_REQUIRED, status -> {
                enqueue(context, "placed");
                status.setRollbackOnly();
            });

            assertThat(stored(context, "placed")).isEqualTo(2);
            assertThat(stored(context, "cancelled")).isEqualTo(1);
            assertThat(count(context, "postrider.outbox.enqueued", "placed")).isEqualTo(3);
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void messagesOfARolledBackSavepointAreNotCounted(Kind kind) {
        run(kind, context -> {
            in(context, TransactionDefinition.PROPAGATION_REQUIRED, outer -> {
                in(context, TransactionDefinition.PROPAGATION_NESTED, status -> {
                    enqueue(context, "first");
                    status.setRollbackOnly();
                });
                enqueue(context, "outer");
                in(context, TransactionDefinition.PROPAGATION_NESTED, status -> {
                    enqueue(context, "outer");
                    enqueue(context, "inner");
                    status.setRollbackOnly();
                });
                in(context, TransactionDefinition.PROPAGATION_NESTED, status -> enqueue(context, "kept"));
            });

            assertThat(stored(context, "first")).isZero();
            assertThat(stored(context, "inner")).isZero();
            assertThat(stored(context, "outer")).isEqualTo(1);
            assertThat(stored(context, "kept")).isEqualTo(1);
        });
    }

    @Test
    void messageOfAnInnerTransactionIsCountedThoughTheOuterOneRollsBack() {
        run(Kind.H2, context -> {
            in(context, TransactionDefinition.PROPAGATION_REQUIRED, outer -> {
                enqueue(context, "outer");
                in(context, TransactionDefinition.PROPAGATION_REQUIRES_NEW, inner -> enqueue(context, "inner"));
                outer.setRollbackOnly();
            });

            assertThat(stored(context, "outer")).isZero();
            assertThat(stored(context, "inner")).isEqualTo(1);
        });
    }

    @Test
    void relayAndPublisherAreMeasured() {
        Contexts.embedded()
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(Deliveries.class)
                .run(context -> {
                    assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(PostriderMetrics.class)
                            .hasSingleBean(InboxMetrics.class)
                            .hasSingleBean(SagaMetrics.class);
                    in(context, TransactionDefinition.PROPAGATION_REQUIRED, status -> enqueue(context, "placed"));

                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    await().atMost(PATIENCE).until(() -> {
                        Timer publish = registry.find("postrider.outbox.publish")
                                .tags("messaging.system", "handler", "outcome", "acked")
                                .timer();
                        Gauge alive = registry.find("postrider.relay.alive").gauge();
                        Gauge pending =
                                registry.find("postrider.outbox.pending").gauge();
                        return publish != null
                                && publish.count() == 1
                                && alive != null
                                && alive.value() == 1
                                && pending != null
                                && pending.value() >= 0;
                    });
                });
    }

    @Test
    void applicationWithoutRegistryOrModuleHasNoMetrics() {
        Contexts.embedded()
                .withBean(Deliveries.class)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(PostriderMetrics.class));
        Contexts.embedded()
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(Deliveries.class)
                .withClassLoader(new FilteredClassLoader("dev.postrider.micrometer"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static void run(Kind kind, Consumer<ApplicationContext> test) {
        Contexts.on(kind)
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues("postrider.schema.mode=create-or-migrate", "postrider.relay.enabled=false")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    test.accept(context);
                });
    }

    private static void in(ApplicationContext context, int propagation, Consumer<TransactionStatus> work) {
        TransactionTemplate template = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        template.setPropagationBehavior(propagation);
        template.executeWithoutResult(work);
    }

    private static void enqueue(ApplicationContext context, String type) {
        context.getBean(Outbox.class)
                .enqueue(OutboxMessage.to("orders", type).payload("{}").build());
    }

    private static double stored(ApplicationContext context, String type) {
        return count(context, "postrider.outbox.stored", type);
    }

    private static double count(ApplicationContext context, String meter, String type) {
        Counter counter = context.getBean(MeterRegistry.class)
                .find(meter)
                .tag("type", type)
                .counter();
        return counter == null ? 0 : counter.count();
    }
}
