package dev.postrider.rabbitmq;

import com.rabbitmq.client.Delivery;
import dev.postrider.OutboxMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.testkit.PublisherContract;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

@Tag("R0.2")
final class RabbitPublisherContractTest extends PublisherContract {

    private static final int MAX_SIZE = 100_000;
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String topic = "contract-" + NAMES.incrementAndGet();
    private Broker broker;
    private RabbitPublisher publisher;
    private List<Delivery> arrived;

    @BeforeAll
    static void requireBroker() {
        Broker.require();
    }

    @BeforeEach
    void connect() {
        broker = Broker.shared().exchange(topic).queue(topic).bind(topic, topic);
        arrived = broker.consume(topic);
        publisher = RabbitPublisher.builder(broker.factory())
                .maxMessageSize(MAX_SIZE)
                .confirmTimeout(Answers.PATIENCE)
                .build();
    }

    @AfterEach
    void disconnect() {
        publisher.close();
        broker.deleteExchange(topic).deleteQueue(topic).close();
    }

    @Override
    protected MessagePublisher publisher() {
        return publisher;
    }

    @Override
    protected String topic() {
        return topic;
    }

    @Override
    protected List<OutboxMessage> arrived() {
        return arrived.stream().map(Broker::message).toList();
    }

    @Override
    protected Optional<OutboxMessage> tooLarge() {
        return Optional.of(OutboxMessage.to(topic, "TooLarge")
                .payload(new byte[MAX_SIZE + 1])
                .build());
    }
}
