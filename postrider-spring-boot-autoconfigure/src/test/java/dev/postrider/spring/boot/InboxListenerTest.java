package dev.postrider.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.all.Postrider;
import dev.postrider.inbox.InboxEntry;
import dev.postrider.services.Availability;
import dev.postrider.services.Database.Kind;
import dev.postrider.services.KafkaServer;
import dev.postrider.services.RabbitServer;
import dev.postrider.spring.InboxListener;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Methods receive messages of brokers inside the inbox. */
final class InboxListenerTest {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    void kafkaMessageThatComesTwiceHasOneEffectAndABadOneIsParked(Kind kind) throws Exception {
        assume(KafkaServer.available());
        KafkaServer kafka = KafkaServer.shared();
        String topic = "spring-inbox-" + kind;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get(1, TimeUnit.MINUTES);
        }

        on(kind).withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
                .withBean(Receipts.OfKafka.class)
                .withPropertyValues(
                        "test.topic=" + topic,
                        "spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
                        "spring.kafka.consumer.group-id=of-the-application")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                            Map.of("bootstrap.servers", kafka.bootstrapServers()),
                            new StringSerializer(),
                            new StringSerializer())) {
                        for (String id : List.of("a", "a", "bad-b", "c")) {
                            ProducerRecord<String, String> record = new ProducerRecord<>(topic, id, id);
                            record.headers().add("id", id.getBytes(StandardCharsets.UTF_8));
                            producer.send(record).get(1, TimeUnit.MINUTES);
                        }
                    }

                    oneEffectOfEach(context);
                });
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES_18", "MARIADB"})
    void rabbitMessageThatComesTwiceHasOneEffectAndABadOneIsParked(Kind kind) throws Exception {
        assume(RabbitServer.available());
        RabbitServer rabbit = RabbitServer.shared();
        String queue = "spring-inbox-" + kind;
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(rabbit.uri());
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            channel.queueDeclare(queue, true, false, false, null);
            for (String id : List.of("a", "a", "bad-b", "c")) {
                channel.basicPublish(
                        "",
                        queue,
                        new AMQP.BasicProperties.Builder().messageId(id).build(),
                        id.getBytes(StandardCharsets.UTF_8));
            }

            on(kind).withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class))
                    .withBean(Receipts.OfRabbit.class)
                    .withPropertyValues("test.queue=" + queue, "spring.rabbitmq.addresses=" + rabbit.uri())
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        oneEffectOfEach(context);
                    });

            assertThat(channel.messageCount(queue)).isZero();
        }
    }

    @Test
    void listenerWithoutItsBrokerFailsTheStart() {
        FailureAnalysis analysis = failure(Topics.class);

        assertThat(analysis.getDescription()).contains("take", "topics");
        assertThat(analysis.getAction()).contains("postrider-kafka", "spring-boot-starter-kafka");
    }

    @Test
    void twoListenersOfOneConsumerFailTheStart() {
        FailureAnalysis analysis = failure(Twice.class, KafkaAutoConfiguration.class);

        assertThat(analysis.getDescription()).contains("billing", "first", "second");
        assertThat(analysis.getAction()).contains("a consumer of its own");
    }

    @Test
    void listenerWithAnUnknownParameterFailsTheStart() {
        FailureAnalysis analysis = failure(OfDuration.class, KafkaAutoConfiguration.class);

        assertThat(analysis.getDescription()).contains("java.time.Duration");
        assertThat(analysis.getAction()).contains("ReceivedMessage", "PayloadCodec");
    }

    @Test
    void listenerThatReturnsSomethingFailsTheStart() {
        assertThat(failure(Returning.class, KafkaAutoConfiguration.class).getDescription())
                .contains("return nothing");
    }

    @Test
    void listenerWithTopicsAndQueueFailsTheStart() {
        assertThat(failure(Both.class, KafkaAutoConfiguration.class).getDescription())
                .contains("either topics or a queue");
    }

    @Test
    void listenerWithAnUnusableConsumerNameFailsTheStart() {
        assertThat(failure(Unnamed.class, KafkaAutoConfiguration.class).getDescription())
                .contains("consumer must be");
    }

    @Test
    void disabledInboxReceivesNothing() {
        Contexts.embedded()
                .withBean(Topics.class)
                .withPropertyValues("postrider.relay.enabled=false", "postrider.inbox.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("postriderInboxConsumers"));
    }

    private static FailureAnalysis failure(Class<?> listener, Class<?>... broker) {
        FailureAnalysis[] found = new FailureAnalysis[1];
        Contexts.embedded()
                .withConfiguration(AutoConfigurations.of(broker))
                .withBean(listener)
                .withPropertyValues("postrider.relay.enabled=false")
                .run(context -> {
                    assertThat(context).hasFailed();
                    found[0] = Contexts.analysis(context);
                });
        return found[0];
    }

    private static void oneEffectOfEach(ApplicationContext context) {
        Postrider postrider = context.getBean(Postrider.class);
        await().atMost(PATIENCE)
                .until(() -> postrider.inboxAdmin().parked("billing", 0, 10).size() == 1
                        && state(postrider, "c").equals(Optional.of(InboxEntry.State.PROCESSED)));

        assertThat(state(postrider, "bad-b")).contains(InboxEntry.State.PARKED);
        assertThat(context.getBean(Invoices.class).numbers()).containsExactly("a", "c");
        assertThat(postrider.admin().stats().pending()).isEqualTo(2);
    }

    private static Optional<InboxEntry.State> state(Postrider postrider, String id) {
        return postrider.inboxAdmin().lookup("billing", id).map(InboxEntry::state);
    }

    private static ApplicationContextRunner on(Kind kind) {
        return Contexts.on(kind)
                .withBean(Invoices.class)
                .withPropertyValues(
                        "postrider.schema.mode=create-or-migrate",
                        "postrider.relay.enabled=false",
                        "postrider.inbox.park-after=2");
    }

    private static void assume(Availability availability) {
        Assumptions.assumeTrue(availability.available(), availability::reason);
    }

    static class Topics {

        @InboxListener(topics = "orders", consumer = "billing")
        void take(String payload) {}
    }

    static class Twice {

        @InboxListener(topics = "orders", consumer = "billing")
        void first(String payload) {}

        @InboxListener(topics = "refunds", consumer = "billing")
        void second(String payload) {}
    }

    static class OfDuration {

        @InboxListener(topics = "orders", consumer = "billing")
        void take(Duration payload) {}
    }

    static class Returning {

        @InboxListener(topics = "orders", consumer = "billing")
        String take(String payload) {
            return payload;
        }
    }

    static class Both {

        @InboxListener(topics = "orders", queue = "orders", consumer = "billing")
        void take(String payload) {}
    }

    static class Unnamed {

        @InboxListener(topics = "orders", consumer = "")
        void take(String payload) {}
    }
}
