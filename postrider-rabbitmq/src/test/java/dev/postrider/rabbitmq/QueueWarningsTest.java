package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.postrider.OutboxMessage;
import dev.postrider.consumers.InboxDatabase;
import dev.postrider.inbox.consumer.ConsumerHealth;
import dev.postrider.services.CapturedLog;
import dev.postrider.services.Database.Kind;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What AMQP alone tells about a queue, from a real broker. */
final class QueueWarningsTest {

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String queue = "warned-" + NAMES.incrementAndGet();
    private final QueueWarnings warnings = new QueueWarnings();
    private Broker broker;
    private Connection connection;
    private CapturedLog log;

    @BeforeEach
    void connect() throws Exception {
        broker = Broker.shared();
        connection = broker.factory().newConnection();
        log = CapturedLog.start();
    }

    @AfterEach
    void disconnect() {
        log.close();
        connection.abort();
        broker.deleteQueue(queue).close();
    }

    @ParameterizedTest
    @CsvSource({
        "classic, x-max-length, drop-head",
        "classic, x-max-length-bytes, drop-head",
        "classic, x-max-length, reject-publish",
        "quorum, x-max-length, drop-head",
        "quorum, x-max-length-bytes, reject-publish",
    })
    void queueWithAMaximumLengthIsWarnedOfOnce(String type, String limit, String overflow) {
        Map<String, Object> arguments = new HashMap<>(Map.of("x-queue-type", type, limit, 1_000));
        if (!overflow.equals("drop-head")) {
            arguments.put("x-overflow", overflow);
        }
        broker.queue(queue, arguments);

        warnings.check(connection, queue);
        warnings.check(connection, queue);

        assertThat(log.lines("WARN"))
                .singleElement()
                .asString()
                .contains("Queue '" + queue + "' has a maximum length and overflow " + overflow);
    }

    @Test
    void deliveryLimitIsWarnedOfBehindAllOtherArguments() {
        broker.queue(
                queue,
                Map.of(
                        "x-queue-type",
                        "quorum",
                        "x-delivery-limit",
                        5,
                        "x-dead-letter-exchange",
                        "elsewhere",
                        "x-dead-letter-routing-key",
                        "it's",
                        "x-expires",
                        3_600_000L,
                        "x-single-active-consumer",
                        true));

        warnings.check(connection, queue);

        assertThat(log.lines("WARN")).singleElement().asString().contains("has the delivery limit 5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "quorum"})
    void safeQueueIsNotWarnedOf(String type) {
        broker.queue(queue, Map.of("x-queue-type", type, "x-dead-letter-exchange", "elsewhere"));

        warnings.check(connection, queue);

        assertThat(log.lines("WARN")).isEmpty();
    }

    @Test
    void transientQueueIsAskedAboutToo() throws IOException {
        try (Channel channel = connection.createChannel()) {
            channel.queueDeclare(queue, false, false, true, Map.of("x-max-length", 10));

            warnings.check(connection, queue);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new IOException(e);
        }

        assertThat(log.lines("WARN")).singleElement().asString().contains("overflow drop-head");
    }

    @Test
    void askingCreatesNoQueue() throws IOException {
        String missing = queue + "-missing";

        warnings.check(connection, missing);
        assertThat(QueueProbe.arguments(connection, missing)).isEmpty();

        assertThat(log.lines("WARN")).isEmpty();
        Channel channel = connection.createChannel();
        assertThat(org.assertj.core.api.Assertions.catchThrowableOfType(
                        IOException.class, () -> channel.queueDeclarePassive(missing)))
                .satisfies(error -> assertThat(BrokerText.replyCode(error)).isEqualTo(AMQP.NOT_FOUND));
    }

    @Test
    void consumerWarnsOfItsQueueOnce() {
        broker.queue(queue, Map.of("x-max-length", 1_000));
        try (InboxDatabase database = InboxDatabase.open(Kind.H2);
                RabbitInboxConsumer consumer = RabbitInboxConsumer.builder(
                                database.inbox().build(), InboxDatabase.CONSUMER, broker.factory())
                        .queue(queue)
                        .threads(2)
                        .handler(InboxDatabase::effect)
                        .build()
                        .start()) {
            broker.send(
                    queue, new AMQP.BasicProperties.Builder().messageId("m1").build(), "m1");
            database.awaitEffects(1);
            await().atMost(Answers.PATIENCE).until(() -> consumer.health().state() == ConsumerHealth.State.RUNNING);

            assertThat(log.lines("Queue '" + queue + "' has a maximum length")).hasSize(1);
        }
    }

    @Test
    void publisherWarnsOfTheQueueItNames() {
        broker.queue(queue, Map.of("x-max-length", 1_000));
        try (RabbitPublisher publisher = RabbitPublisher.builder(broker.factory())
                .defaultExchange()
                .routingKey("{topic}")
                .build()) {
            Answers.of(publisher, OutboxMessage.to(queue, "t").build());
            Answers.of(publisher, OutboxMessage.to(queue, "t").build());
        }

        assertThat(log.lines("Queue '" + queue + "' has a maximum length")).hasSize(1);
    }
}
