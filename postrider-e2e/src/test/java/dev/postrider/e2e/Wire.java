package dev.postrider.e2e;

import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.ReceivedHandler;
import dev.postrider.kafka.KafkaInboxConsumer;
import dev.postrider.kafka.KafkaPublisher;
import dev.postrider.rabbitmq.RabbitInboxConsumer;
import dev.postrider.rabbitmq.RabbitPublisher;
import dev.postrider.spi.MessagePublisher;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * How a process reaches a broker.
 *
 * @param address the URI of a RabbitMQ, or else the bootstrap servers of a Kafka
 */
record Wire(String address) {

    // The shortest that a broker allows; a new member of the group waits for a dead one that long.
    private static final int SESSION_MILLIS = 6_000;

    MessagePublisher publisher() {
        return isRabbit()
                ? RabbitPublisher.builder(factory()).build()
                : KafkaPublisher.builder(address).build();
    }

    /** Starts to hand the messages of a topic to a handler. */
    AutoCloseable receive(Inbox inbox, String consumer, String topic, ReceivedHandler handler) {
        return isRabbit()
                ? RabbitInboxConsumer.builder(inbox, consumer, factory())
                        .queue(topic)
                        .handler(handler)
                        .build()
                        .start()
                : KafkaInboxConsumer.builder(inbox, consumer, address)
                        .topics(topic)
                        .property(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MILLIS)
                        .handler(handler)
                        .build()
                        .start();
    }

    private boolean isRabbit() {
        return address.startsWith("amqp:");
    }

    private ConnectionFactory factory() {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(address);
        } catch (Exception e) {
            throw new IllegalArgumentException("Could not read " + address, e);
        }
        return factory;
    }
}
