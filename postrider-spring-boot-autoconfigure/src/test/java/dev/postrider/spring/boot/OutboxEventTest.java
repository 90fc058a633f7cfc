package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.MessageStatus;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.all.Postrider;
import dev.postrider.services.Database.Kind;
import dev.postrider.spring.NoTransactionException;
import dev.postrider.spring.OutboxEvent;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Application events become messages of the transaction in which they are published. */
final class OutboxEventTest {

    private static final UUID ID = UUID.fromString("0198c0de-0000-7000-8000-000000000001");

    @OutboxEvent(topic = "orders", key = "#{orderId}")
    record Placed(@Nullable UUID orderId) {}

    @OutboxEvent(topic = "orders", key = "order-#{id}/#{line.number}")
    static class Changed {

        public String getId() {
            return "42";
        }

        public Line getLine() {
            return new Line(7);
        }
    }

    record Line(int number) {}

    @OutboxEvent(topic = "audit")
    interface Audited {}

    record Seen(String by) implements Audited {}

    record Unrelated(String text) {}

    @OutboxEvent(topic = "orders", key = "#{T(java.lang.Runtime).getRuntime()}")
    record Calling(String text) {}

    @OutboxEvent(topic = "orders", key = "#{orderId")
    record Unparsable(String orderId) {}

    @OutboxEvent(topic = "orders", key = "#{number}")
    record Misspelt(String orderId) {}

    @OutboxEvent(topic = "orders", key = "#{number}")
    static final class Classic extends ApplicationEvent {

        private static final long serialVersionUID = 1;

        Classic() {
            super("shop");
        }

        public int getNumber() {
            return 3;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void publishedEventCommitsAndRollsBackWithItsTransaction(Kind kind) {
        run(kind, context -> {
            transaction(context).executeWithoutResult(status -> {
                context.publishEvent(new Placed(ID));
                context.publishEvent(new Changed());
                context.publishEvent(new Seen("anna"));
                context.publishEvent(new Unrelated("no message"));
            });
            transaction(context).executeWithoutResult(status -> {
                context.publishEvent(new Seen("lost"));
                status.setRollbackOnly();
            });

            assertThat(stored(context))
                    .extracting(
                            OutboxMessage::topic,
                            OutboxMessage::type,
                            message -> message.key().orElse("none"))
                    .containsExactlyInAnyOrder(
                            tuple("orders", "placed", ID.toString()),
                            tuple("orders", "changed", "order-42/7"),
                            tuple("audit", "seen", "none"));
        });
    }

    @Test
    void eventOutsideATransactionIsRefused() {
        run(Kind.H2, context -> {
            assertThatThrownBy(() -> context.publishEvent(new Placed(ID))).isInstanceOf(NoTransactionException.class);

            assertThat(stored(context)).isEmpty();
        });
    }

    @Test
    void eventWithoutItsKeyIsRefused() {
        run(Kind.H2, context -> {
            assertThatThrownBy(() -> publish(context, new Placed(null)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'orderId'")
                    .hasMessageContaining("Placed");

            assertThat(stored(context)).isEmpty();
        });
    }

    @Test
    void keyThatIsNoPropertyOfTheEventIsRefused() {
        run(Kind.H2, context -> {
            for (Object event : List.of(new Calling("a"), new Unparsable("a"), new Misspelt("a"))) {
                assertThatThrownBy(() -> publish(context, event))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("@OutboxEvent")
                        .hasMessageContaining(event.getClass().getName());
            }

            assertThat(stored(context)).isEmpty();
        });
    }

    @Test
    void eventThatIsNoRegisteredPayloadIsRefused() {
        Contexts.embedded()
                .withPropertyValues("postrider.relay.enabled=false")
                .run(context -> assertThatThrownBy(() -> publish(context, new Placed(ID)))
                        .hasMessageContaining("postrider.payload.types"));
    }

    @Test
    void subclassOfApplicationEventIsAnEventToo() {
        Contexts.embedded()
                .withPropertyValues("postrider.relay.enabled=false")
                .withBean(PayloadCustomizer.class, () -> codec -> codec.type("classic", Classic.class))
                .run(context -> {
                    publish(context, new Classic());

                    assertThat(stored(context))
                            .singleElement()
                            .extracting(message -> message.key().orElseThrow())
                            .isEqualTo("3");
                });
    }

    @Test
    void multicasterWithThreadsLeavesTheEventInItsTransaction() {
        configured(Kind.H2)
                .withBean("applicationEventMulticaster", SimpleApplicationEventMulticaster.class, () -> {
                    SimpleApplicationEventMulticaster threads = new SimpleApplicationEventMulticaster();
                    threads.setTaskExecutor(new SimpleAsyncTaskExecutor());
                    return threads;
                })
                .run(context -> {
                    publish(context, new Placed(ID));

                    assertThat(stored(context)).hasSize(1);
                });
    }

    private static void run(Kind kind, Consumer<ApplicationContext> test) {
        configured(kind).run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context);
        });
    }

    private static ApplicationContextRunner configured(Kind kind) {
        return Contexts.on(kind)
                .withPropertyValues("postrider.schema.mode=create-or-migrate", "postrider.relay.enabled=false")
                .withBean(
                        PayloadCustomizer.class,
                        () -> codec -> codec.type("placed", Placed.class)
                                .type("changed", Changed.class)
                                .type("seen", Seen.class)
                                .type("calling", Calling.class)
                                .type("unparsable", Unparsable.class)
                                .type("misspelt", Misspelt.class));
    }

    private static void publish(ApplicationContext context, Object event) {
        transaction(context).executeWithoutResult(status -> context.publishEvent(event));
    }

    private static TransactionTemplate transaction(ApplicationContext context) {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    private static List<OutboxMessage> stored(ApplicationContext context) {
        return context.getBean(Postrider.class).admin().list(MessageStatus.PENDING, 0, 10).stream()
                .map(StoredMessage::message)
                .toList();
    }
}
