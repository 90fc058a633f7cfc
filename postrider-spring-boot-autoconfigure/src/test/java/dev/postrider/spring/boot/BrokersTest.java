package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.postrider.Outbox;
import dev.postrider.services.Availability;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.KafkaServer;
import dev.postrider.services.RabbitServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The relay reaches brokers with the settings of the application's own beans. */
final class BrokersTest {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Test
    void postgresToKafkaNeedsThreeProperties() throws Exception {
        assume(KafkaServer.available());
        KafkaServer kafka = KafkaServer.shared();
        String topic = "spring-orders";
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get(1, TimeUnit.MINUTES);
        }

        Contexts.withUrlOf(Kind.POSTGRES_18)
                .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
                .withPropertyValues(
                        "postrider.schema.mode=create-or-migrate",
                        "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers())
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    enqueue(context, topic);

                    assertThat(received(kafka, topic)).containsExactly("42");
                });
    }

    @Test
    void topicsGoToTheExchangesOfTheirProperties() throws Exception {
        assume(RabbitServer.available());
        RabbitServer rabbit = RabbitServer.shared();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(rabbit.uri());
        try (Connection connection = factory.newConnection();
                com.rabbitmq.client.Channel channel = connection.createChannel()) {
            channel.queueDeclare("spring-queue", true, false, false, null);

            Contexts.embedded()
                    .withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class))
                    .withBean(Deliveries.class)
                    .withPropertyValues(
                            "spring.rabbitmq.addresses=" + rabbit.uri(),
                            "postrider.publisher=handler",
                            "postrider.topics.invoices.exchange=",
                            "postrider.topics.invoices.routing-key=spring-queue")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        enqueue(context, "invoices");
                        enqueue(context, "orders");

                        List<GetResponse> got = new ArrayList<>();
                        await().atMost(PATIENCE).until(() -> {
                            GetResponse response = channel.basicGet("spring-queue", true);
                            return response != null && got.add(response);
                        });
                        assertThat(new String(got.get(0).getBody(), StandardCharsets.UTF_8))
                                .isEqualTo("42");
                        List<String> handled = context.getBean(Deliveries.class).payloads();
                        await().atMost(PATIENCE).until(() -> handled.contains("42"));
                    });
        }
    }

    @Test
    void twoBrokersWithoutAChoiceFailTheStart() {
        Contexts.embedded()
                .withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class, KafkaAutoConfiguration.class))
                .run(context -> {
                    assertThat(context).hasFailed();
                    FailureAnalysis analysis = Contexts.analysis(context);
                    assertThat(analysis.getDescription()).contains("kafka", "rabbitmq");
                    assertThat(analysis.getAction()).contains("postrider.publisher");
                });
    }

    private static void assume(Availability availability) {
        Assumptions.assumeTrue(availability.available(), availability::reason);
    }

    private static void enqueue(ApplicationContext context, String topic) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> context.getBean(Outbox.class)
                        .enqueue(dev.postrider.OutboxMessage.to(topic, "placed")
                                .payload("42")
                                .build()));
    }

    private static List<String> received(KafkaServer kafka, String topic) {
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers(),
                ConsumerConfig.GROUP_ID_CONFIG, "spring-test",
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            await().atMost(PATIENCE).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
                return !values.isEmpty();
            });
        }
        return values;
    }
}
