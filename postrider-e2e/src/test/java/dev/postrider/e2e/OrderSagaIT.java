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
import dev.postrider.services.ChildJvm;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.KafkaServer;
import dev.postrider.services.RabbitServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Orders, payments and shipping in three processes with three databases; the broker between them is killed. */
@Tag("R0.7")
@Tag("B4")
@Tag("B5")
final class OrderSagaIT {

    private static final int ORDERS = 200;
    private static final int PARTITIONS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @Test
    void everyOrderIsCompletedOrUndoneOnceThoughKafkaIsKilled() throws Exception {
        assume(KafkaServer.available());
        try (KafkaServer server = KafkaServer.start()) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", server.bootstrapServers()))) {
                admin.createTopics(OrderSaga.TOPICS.stream()
                                .map(topic -> new NewTopic(topic, PARTITIONS, (short) 1))
                                .toList())
                        .all()
                        .get(60, TimeUnit.SECONDS);
            }
            orders("Kafka", server.bootstrapServers(), server::kill, server::restart);
        }
    }

    @Test
    void everyOrderIsCompletedOrUndoneOnceThoughRabbitIsKilled() throws Exception {
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
                ChildJvm one = launch(orders, OrderMain.ORDERS, address);
                ChildJvm two = launch(payments, OrderSaga.PAYMENTS, address);
                ChildJvm three = launch(shipping, OrderSaga.SHIPPING, address)) {
            List<ChildJvm> services = List.of(one, two, three);
            services.forEach(service -> service.awaitOutput("ready", PATIENCE));
            long start = System.nanoTime();
            DurableSaga<String> sagas = SagaEngine.builder(orders.pool())
                    .register(OrderSaga.definition())
                    .build()
                    .saga(OrderSaga.definition());

            place(sagas, 1, ORDERS / 2);
            awaitEnded(orders, ORDERS / 10, services);
            long before = ended(orders);
            kill.run();
            place(sagas, ORDERS / 2 + 1, ORDERS);
            restart.run();
            assertThat(before).as("the broker was killed in the middle").isLessThan(ORDERS);
            awaitEnded(orders, ORDERS, services);

            Duration took = Duration.ofNanos(System.nanoTime() - start);
            check(orders, payments, shipping);
            System.out.printf("order saga over %s: the broker was killed when %d sagas had ended%n", broker, before);
            report(broker, took, orders, services);
        }
    }

    private static ChildJvm launch(Ledger ledger, String service, String address) {
        return ChildJvm.of(OrderMain.class)
                .heap("128m")
                .jvmOptions("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
                .systemProperty("org.slf4j.simpleLogger.defaultLogLevel", "error")
                .arguments(
                        ledger.database().jdbcUrl(),
                        ledger.database().user(),
                        ledger.database().password())
                .arguments(service, address)
                .start();
    }

    private static void place(DurableSaga<String> sagas, int from, int to) {
        for (int number = from; number <= to; number++) {
            sagas.start(OrderSaga.order(number), OrderSaga.order(number));
        }
    }

    private static long ended(Ledger orders) {
        return orders.strings("select saga_id from saga_instance where finished_at is not null")
                .size();
    }

    private static void awaitEnded(Ledger orders, int sagas, List<ChildJvm> services) {
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

    private static void report(String broker, Duration took, Ledger orders, List<ChildJvm> services) {
        List<Long> duplicates =
                services.stream().map(service -> last(service.output())).toList();
        long late = orders.strings("select saga_id from saga_audit where action = 'LATE_REPLY'")
                .size();
        System.out.printf(
                "order saga over %s, killed in the middle: %d sagas, %d completed, %d undone; messages that came twice to"
                        + " orders, payments and shipping: %s, late replies: %d, %d s%n",
                broker,
                ORDERS,
                orders.strings("select saga_id from saga_instance where status = 'COMPLETED'")
                        .size(),
                orders.strings("select saga_id from saga_instance where status = 'COMPENSATED'")
                        .size(),
                duplicates,
                late,
                took.toSeconds());
        assertThat(duplicates).as("commands and replies that came twice").allMatch(count -> count > 0);
        services.forEach(service -> assertThat(service.output()).doesNotContain(OrderMain.PARKED));
    }

    /** Returns how many duplicates a service has counted. */
    private static long last(String output) {
        return output.lines()
                .filter(line -> line.startsWith(OrderMain.DUPLICATES))
                .mapToLong(line -> Long.parseLong(line.substring(OrderMain.DUPLICATES.length())))
                .max()
                .orElse(0);
    }

    private static void assume(Availability availability) {
        assumeTrue(availability.available(), availability.reason());
    }
}
