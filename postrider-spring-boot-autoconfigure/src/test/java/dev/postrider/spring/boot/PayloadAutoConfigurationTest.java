package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.postrider.MessageStatus;
import dev.postrider.Outbox;
import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.admin.StoredMessage;
import dev.postrider.all.Postrider;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.PayloadCodec;
import dev.postrider.spring.OutboxHandler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

final class PayloadAutoConfigurationTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String PLACED = "postrider.payload.types.order.placed=" + Placed.class.getName();

    /** What an order service says. */
    record Placed(String orderId) {}

    /** What it says when an order was cancelled. */
    record Cancelled(String orderId) {}

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void enqueuedObjectReachesTheHandlerAsAnObject(Kind kind) {
        Contexts.on(kind)
                .withBean(PlacedOrders.class)
                .withPropertyValues("postrider.schema.mode=create-or-migrate", PLACED)
                .run(context -> {
                    assertThat(context).hasNotFailed();

                    enqueue(context, outbox -> outbox.enqueue("orders", "42", new Placed("42")));

                    List<Object> orders = context.getBean(PlacedOrders.class).orders;
                    await().atMost(PATIENCE).until(() -> !orders.isEmpty());
                    assertThat(orders).containsExactly(new Placed("42"));
                });
    }

    @Test
    void propertiesAndBeansRegisterTypesWithTheirVersions() {
        Contexts.embedded()
                .withBean(PayloadCustomizer.class, () -> codec -> codec.type("order.cancelled", Cancelled.class))
                .withPropertyValues("postrider.relay.enabled=false", "postrider.outbox.namespace=shop")
                .withInitializer(context -> set(context, "postrider.payload.types.[order.placed:2]"))
                .run(context -> {
                    enqueue(context, outbox -> {
                        outbox.enqueue("orders", "42", new Placed("42"));
                        outbox.enqueue("orders", null, new Cancelled("42"));
                    });

                    assertThat(context.getBean(Postrider.class).admin().list(MessageStatus.PENDING, 0, 10))
                            .extracting(StoredMessage::message)
                            .extracting(
                                    OutboxMessage::namespace,
                                    OutboxMessage::type,
                                    OutboxMessage::version,
                                    message -> message.key().orElse("none"),
                                    message -> new String(message.payload(), StandardCharsets.UTF_8))
                            .containsExactlyInAnyOrder(
                                    tuple("shop", "order.placed", 2, "42", "{\"orderId\":\"42\"}"),
                                    tuple("shop", "order.cancelled", 1, "none", "{\"orderId\":\"42\"}"));
                });
    }

    @Test
    void classThatIsNotRegisteredIsRefusedAndNothingIsStored() {
        Contexts.embedded().withPropertyValues("postrider.relay.enabled=false").run(context -> {
            assertThatThrownBy(() -> enqueue(context, outbox -> outbox.enqueue("orders", "42", new Placed("42"))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Placed.class.getName())
                    .hasMessageContaining("postrider.payload.types");

            assertThat(context.getBean(Postrider.class).admin().stats().pending())
                    .isZero();
        });
    }

    @Test
    void applicationWithoutJacksonHasNoCodecAndSaysSo() {
        Contexts.embedded()
                .withPropertyValues("postrider.relay.enabled=false")
                .withClassLoader(new FilteredClassLoader("dev.postrider.jackson"))
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(PayloadCodec.class);
                    assertThatThrownBy(
                                    () -> enqueue(context, outbox -> outbox.enqueue("orders", "42", new Placed("42"))))
                            .isInstanceOf(OutboxException.class)
                            .hasMessageContaining("codec");
                });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB", "MYSQL", "H2"})
    void unknownPayloadIsTriedAgainAndUnreadableOneIsDead(Kind kind) {
        Contexts.on(kind)
                .withBean(PlacedOrders.class)
                .withPropertyValues("postrider.schema.mode=create-or-migrate", PLACED)
                .run(context -> {
                    enqueue(context, outbox -> {
                        outbox.enqueue(OutboxMessage.to("orders", "order.placed")
                                .key("version")
                                .version(7)
                                .payload("{}")
                                .build());
                        outbox.enqueue(OutboxMessage.to("orders", "order.placed")
                                .key("broken")
                                .payload("{")
                                .build());
                    });

                    Postrider postrider = context.getBean(Postrider.class);
                    await().atMost(PATIENCE)
                            .until(() -> error(postrider, MessageStatus.PENDING)
                                            .contains("'order.placed' v7 is not known here")
                                    && error(postrider, MessageStatus.DEAD).contains("Could not read payload"));
                    assertThat(context.getBean(PlacedOrders.class).orders).isEmpty();
                });
    }

    private static String error(Postrider postrider, MessageStatus status) {
        return String.join(
                "\n",
                postrider.admin().list(status, 0, 10).stream()
                        .map(message -> message.error().orElse(""))
                        .toList());
    }

    @Test
    void handlerOfAClassThatIsNotRegisteredFailsTheStart() {
        Contexts.embedded().withBean(PlacedOrders.class).run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = Contexts.analysis(context);
            assertThat(analysis.getDescription()).contains("PlacedOrders.take", Placed.class.getName());
            assertThat(analysis.getAction())
                    .contains("postrider.payload.types.<name>=" + Placed.class.getName(), "PayloadCustomizer");
        });
    }

    @Test
    void handlerOfAnObjectWithoutAnyCodecFailsTheStart() {
        Contexts.embedded()
                .withBean(PlacedOrders.class)
                .withClassLoader(new FilteredClassLoader("dev.postrider.jackson"))
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(Contexts.analysis(context).getAction()).contains("postrider-jackson");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "postrider.payload.types.[order.placed:two], is no number",
        "postrider.payload.types.[order.placed:0], do not fit together",
        "postrider.payload.types.order.placed:2, only kept in brackets"
    })
    void typeThatCannotBeRegisteredFailsTheStart(String property, String said) {
        Contexts.embedded()
                .withPropertyValues("postrider.relay.enabled=false")
                .withInitializer(context -> set(context, property))
                .run(context -> {
                    assertThat(context).hasFailed();
                    FailureAnalysis analysis = Contexts.analysis(context);
                    assertThat(analysis.getDescription()).contains(said);
                    assertThat(analysis.getAction()).contains("postrider.payload.types");
                });
    }

    // The runner's own properties end at the first colon.
    private static void set(ConfigurableApplicationContext context, String property) {
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("types", Map.of(property, Placed.class.getName())));
    }

    private static void enqueue(ApplicationContext context, Consumer<Outbox> work) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> work.accept(context.getBean(Outbox.class)));
    }

    /** Collects orders. */
    static class PlacedOrders {

        final List<Object> orders = new CopyOnWriteArrayList<>();

        @OutboxHandler("orders")
        void take(Placed order) {
            orders.add(order);
        }
    }
}
