package dev.postrider.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.NoOpMetricsCollector;
import dev.postrider.OutboxMessage;
import dev.postrider.services.Database.Kind;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Publisher and consumer after an Error, which the client's own extension points or the relay's answers throw. */
final class RabbitErrorTest {

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String name = "errors-" + NAMES.incrementAndGet();

    @BeforeAll
    static void requireBroker() {
        Broker.require();
    }

    /** Throws at one call of the publisher or the consumer. */
    private static final class Collector extends NoOpMetricsCollector {

        private final AtomicInteger left;
        private final boolean connecting;

        private Collector(int errors, boolean connecting) {
            this.left = new AtomicInteger(errors);
            this.connecting = connecting;
        }

        @Override
        public void newConnection(Connection connection) {
            maybe(connecting);
        }

        @Override
        public void basicPublish(Channel channel) {
            maybe(!connecting);
        }

        private void maybe(boolean here) {
            if (here && left.getAndDecrement() > 0) {
                throw new OutOfMemoryError("pretended");
            }
        }
    }

    @Test
    void publisherGoesOnAfterAnErrorInTheMiddleOfAWave() {
        try (Broker broker = Broker.shared().exchange(name).queue(name).bind(name, name)) {
            ConnectionFactory factory = broker.factory();
            factory.setMetricsCollector(new Collector(1, false));
            List<ClaimedMessage> wave = Answers.claimed(message(), message());
            Answers answers = new Answers();
            try (RabbitPublisher publisher = RabbitPublisher.builder(factory).build()) {
                publisher.publish(wave, answers);

                assertThat(answers.await(wave.get(0)).kind()).isEqualTo(PublishResult.Kind.FAILED);
                assertThat(answers.await(wave.get(0)).error()).contains("OutOfMemoryError", "pretended");
                assertThat(answers.await(wave.get(1)).kind()).isEqualTo(PublishResult.Kind.UNAVAILABLE);
                assertThat(Answers.of(publisher, message())).isEqualTo(PublishResult.acked());
                assertThat(publisher.restarts()).isEqualTo(1);
            }
            broker.deleteExchange(name).deleteQueue(name);
        }
    }

    @Test
    void publisherGoesOnAfterAnErrorWhileItConnects() {
        try (Broker broker = Broker.shared().exchange(name).queue(name).bind(name, name)) {
            ConnectionFactory factory = broker.factory();
            factory.setMetricsCollector(new Collector(1, true));
            try (RabbitPublisher publisher = RabbitPublisher.builder(factory).build()) {
                assertThat(Answers.of(publisher, message()).kind()).isEqualTo(PublishResult.Kind.UNAVAILABLE);

                assertThat(Answers.of(publisher, message())).isEqualTo(PublishResult.acked());
                assertThat(publisher.restarts()).isEqualTo(1);
            }
            broker.deleteExchange(name).deleteQueue(name);
        }
    }

    // The server accepts and says nothing, so that only the thread that watches the clock can answer.
    @Test
    void messagesAreAnsweredInTimeAfterAnErrorOfAnAnswer() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setHost("127.0.0.1");
            factory.setPort(silent.getLocalPort());
            factory.setHandshakeTimeout((int) TimeUnit.MINUTES.toMillis(10));
            AtomicInteger errors = new AtomicInteger();
            PublishAnswers broken = (message, result) -> {
                errors.incrementAndGet();
                throw new NoClassDefFoundError("com/example/Meter");
            };
            try (RabbitPublisher publisher = RabbitPublisher.builder(factory)
                    .confirmTimeout(Duration.ofMillis(100))
                    .build()) {
                publisher.publish(List.of(Answers.claimed(message())), broken);
                await().atMost(Answers.PATIENCE).until(() -> errors.get() == 1);

                PublishResult next = Answers.of(publisher, message());

                assertThat(next.kind()).isEqualTo(PublishResult.Kind.UNAVAILABLE);
                assertThat(next.error()).contains("Could not be sent to RabbitMQ within");
                assertThat(publisher.restarts()).isEqualTo(1);
            }
        }
    }

    @Test
    void consumerGoesOnAfterAnErrorWhileItConnectsAndCountsIt() {
        try (RabbitSite site = new RabbitSite(Broker.shared(), Kind.H2, RabbitSite.CLASSIC)) {
            ConnectionFactory factory = site.broker.factory();
            factory.setMetricsCollector(new Collector(1, true));
            site.send(3);

            try (RabbitInboxConsumer consumer = RabbitInboxConsumer.builder(
                            site.desk.inbox().build(), Desk.CONSUMER, factory)
                    .queue(site.queue)
                    .handler(Desk::effect)
                    .build()
                    .start()) {
                site.awaitEffects(3);

                assertThat(consumer.health().alive()).isTrue();
                assertThat(consumer.health().restarts()).isEqualTo(1);
            }
        }
    }

    @Test
    void messageWhoseIdCannotBeExtractedForAnErrorIsParked() {
        try (RabbitSite site = new RabbitSite(Broker.shared(), Kind.H2, RabbitSite.CLASSIC)) {
            site.send("key", null, "nameless");
            site.send("another", "m1", "m1");

            try (RabbitInboxConsumer consumer = site.consumer()
                    .idFrom(delivery -> {
                        throw new StackOverflowError();
                    })
                    .handler(Desk::effect)
                    .build()
                    .start()) {
                await().atMost(RabbitSite.PATIENCE).until(() -> !site.desk.parked.isEmpty());
                site.awaitEffects(1);

                assertThat(consumer.health().restarts()).isZero();
            }
        }
    }

    private OutboxMessage message() {
        return OutboxMessage.to(name, "order.placed").payload("{}").build();
    }
}
