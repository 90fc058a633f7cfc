package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.saga.DurableSaga;
import dev.postrider.saga.SagaEngine;
import dev.postrider.services.Availability;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.KafkaServer;
import dev.postrider.services.RabbitServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Orders, payments and shipping in three processes with three databases; the broker and two of them are killed. */
@Tag("R0.7")
@Tag("B4")
@Tag("B5")
final class OrderSagaIT {

    private static final int ORDERS = 80;
    private static final int PARTITIONS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @Test
    void everyOrderIsCompletedOrUndoneOnceOverKafkaWhateverIsKilled() throws Exception {
        assume(KafkaServer.available());
        try (KafkaServer server = KafkaServer.start()) {
            KafkaTopics.create(server.bootstrapServers(), OrderSaga.TOPICS, PARTITIONS);
            orders("Kafka", server.bootstrapServers(), server::kill, server::restart);
        }
    }

    @Test
    void everyOrderIsCompletedOrUndoneOnceOverRabbitWhateverIsKilled() throws Exception {
        assume(RabbitServer.available());
        try (RabbitServer server = RabbitServer.start()) {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(server.uri());
            try (Connection connection = factory.newConnection();
                    Channel channel = connection.createChannel()) {
                for (String topic : OrderSaga.TOPICS) {
                    channel.exchangeDeclare(topic, BuiltinExchangeType.TOPIC, true);
                    channel.queueDeclare(topic, true, false, false, Map.of());
                    channel.queueBind(topic, topic, "#");
                }
            }
            orders("RabbitMQ", server.uri(), server::kill, server::restart);
        }
    }

    private static void orders(String broker, String address, Runnable kill, Runnable restart) {
        try (Ledger orders = Ledger.create(Kind.POSTGRES_18);
                Ledger payments = Ledger.create(Kind.POSTGRES_18);
                Ledger shipping = Ledger.create(Kind.MARIADB);
                OrderService one = new OrderService(orders, OrderMain.ORDERS, address);
                OrderService two = new OrderService(payments, OrderSaga.PAYMENTS, address);
                OrderService three = new OrderService(shipping, OrderSaga.SHIPPING, address)) {
            List<OrderService> services = List.of(one, two, three);
            services.forEach(service -> service.awaitReady(PATIENCE));
            long start = System.nanoTime();
            DurableSaga<String> sagas = SagaEngine.builder(orders.pool())
                    .register(OrderSaga.definition())
                    .build()
                    .saga(OrderSaga.definition());

            place(sagas, 1, ORDERS / 4);
            awaitEnded(orders, ORDERS / 20, services);
            kill.run();
            place(sagas, ORDERS / 4 + 1, ORDERS / 2);
            long before = ended(orders);
            restart.run();
            awaitEnded(orders, ORDERS / 4, services);
            place(sagas, ORDERS / 2 + 1, ORDERS);
            two.killAndRestart();
            one.killAndRestart();
            awaitEnded(orders, ORDERS, services);

            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertThat(before)
                    .as("none of the orders placed while the broker is away has ended")
                    .isLessThanOrEqualTo(ORDERS / 4);
            check(orders, payments, shipping);
            report(broker, took, orders, services);
        }
    }

    private static void place(DurableSaga<String> sagas, int from, int to) {
        for (int number = from; number <= to; number++) {
            sagas.start(OrderSaga.order(number), OrderSaga.order(number));
        }
    }

    private static long ended(Ledger orders) {
        return count(orders, "select saga_id from saga_instance where finished_at is not null");
    }

    private static void awaitEnded(Ledger orders, int sagas, List<OrderService> services) {
        try {
            await("the end of %d sagas".formatted(sagas))
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> ended(orders) >= sagas);
        } catch (ConditionTimeoutException e) {
            StringBuilder printed = new StringBuilder();
            services.forEach(service -> printed.append(service.output()).append("---\n"));
            throw new AssertionError("%s: %s; the services printed%n%s"
                    .formatted(
                            e.getMessage(),
                            orders.strings("select concat(status, ' ', count(*)) from saga_instance group by status"),
                            printed));
        }
    }

    private static void check(Ledger orders, Ledger payments, Ledger shipping) {
        for (int number = 1; number <= ORDERS; number++) {
            String order = OrderSaga.order(number);
            boolean declined = OrderSaga.isDeclined(number);
            assertThat(orders.strings("select status from saga_instance where business_key = ?", order))
                    .as(order)
                    .containsExactly(declined ? "COMPENSATED" : "COMPLETED");
            assertThat(orders.effects(order))
                    .as("%s in orders", order)
                    .containsExactlyElementsOf(
                            declined
                                    ? List.of(OrderSaga.ACCEPT, OrderSaga.UNDO + OrderSaga.ACCEPT)
                                    : List.of(OrderSaga.ACCEPT, OrderSaga.CONFIRM, OrderSaga.NOTIFY));
            checkPartner(payments.effects(order), OrderSaga.PAYMENTS, number);
            checkPartner(shipping.effects(order), OrderSaga.SHIPPING, number);
        }
    }

    // What was done for an order that the other partner declined is undone, or the undoing came first and it never was.
    private static void checkPartner(List<String> effects, String partner, int number) {
        List<String> done = List.of(OrderSaga.ACT);
        List<String> undone = List.of(OrderSaga.ACT, OrderSaga.UNDO + OrderSaga.ACT);
        List<List<String>> right = new ArrayList<>();
        if (OrderSaga.isDeclined(partner, number)) {
            right.add(List.of());
        } else if (OrderSaga.isDeclined(number)) {
            right.addAll(List.of(List.of(), undone));
        } else {
            right.add(done);
        }
        assertThat(right).as("%s in %s", OrderSaga.order(number), partner).contains(effects);
    }

    private static void report(String broker, Duration took, Ledger orders, List<OrderService> services) {
        List<Long> duplicates = services.stream().map(OrderService::duplicates).toList();
        System.out.printf(
                "order saga over %s; the broker, payments and orders killed -9: %d completed, %d undone; came twice to"
                        + " orders, payments, shipping: %s; late replies: %d; %d s%n",
                broker,
                count(orders, "select saga_id from saga_instance where status = 'COMPLETED'"),
                count(orders, "select saga_id from saga_instance where status = 'COMPENSATED'"),
                duplicates,
                count(orders, "select saga_id from saga_audit where action = 'LATE_REPLY'"),
                took.toSeconds());
        assertThat(duplicates).as("commands and replies that came twice").allMatch(count -> count > 0);
        services.forEach(service -> assertThat(service.output()).doesNotContain(OrderMain.PARKED));
    }

    private static int count(Ledger orders, String sql) {
        return orders.strings(sql).size();
    }

    private static void assume(Availability availability) {
        assumeTrue(availability.available(), availability.reason());
    }
}
