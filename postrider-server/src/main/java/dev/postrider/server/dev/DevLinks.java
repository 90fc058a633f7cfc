package dev.postrider.server.dev;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.http.HttpPublisher;
import dev.postrider.http.HttpPublisherBuilder;
import dev.postrider.inbox.Inbox;
import dev.postrider.kafka.KafkaInboxConsumer;
import dev.postrider.kafka.KafkaPublisher;
import dev.postrider.rabbitmq.RabbitInboxConsumer;
import dev.postrider.rabbitmq.RabbitPublisher;
import dev.postrider.server.dev.shop.ShopConsumer;
import dev.postrider.server.source.StartException;
import dev.postrider.spi.ErrorText;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;

/** Makes the link that {@code --broker} names. */
final class DevLinks {

    private static final String KAFKA = "kafka://";

    private static final int PARTITIONS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private DevLinks() {}

    /**
     * Returns the link to this broker.
     *
     * @param url the broker in this process if null
     * @throws StartException if the URL names no broker
     */
    static DevLink of(@Nullable String url) {
        if (url == null) {
            return new BuiltInLink();
        }
        try {
            if (url.startsWith(KAFKA) && url.length() > KAFKA.length()) {
                return kafka(url.substring(KAFKA.length()));
            }
            if (url.startsWith("amqp://") || url.startsWith("amqps://")) {
                return rabbit(url);
            }
            if (url.startsWith("http://") || url.startsWith("https://")) {
                return http(url);
            }
        } catch (IllegalArgumentException | URISyntaxException e) {
            throw usage("--broker: " + e.getMessage(), e);
        }
        throw usage("--broker must begin with kafka://, amqp://, amqps://, http:// or https://", null);
    }

    private static DevLink kafka(String servers) {
        return new ExternalLink(
                "Kafka at " + servers,
                KafkaPublisher.builder(servers).build(),
                (consumer, inbox) -> receiving(servers, consumer, inbox));
    }

    private static AutoCloseable receiving(String servers, ShopConsumer consumer, Inbox inbox) {
        createTopics(servers, consumer.topics());
        return KafkaInboxConsumer.builder(inbox, consumer.name(), servers)
                .property("auto.offset.reset", "earliest")
                .topics(consumer.topics())
                .handler(consumer.handler())
                .build()
                .start();
    }

    // Many clusters make no topic by themselves; one that is there stays as it is.
    private static void createTopics(String servers, List<String> names) {
        List<NewTopic> topics = names.stream()
                .map(name -> new NewTopic(name, Optional.of(PARTITIONS), Optional.empty()))
                .toList();
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers))) {
            admin.createTopics(topics).all().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw unusable(e);
            }
        } catch (TimeoutException | KafkaException e) {
            throw unusable(e);
        }
    }

    private static StartException unusable(Exception cause) {
        return new StartException(
                StartException.CANNOT_CONNECT, "The broker of --broker cannot be used: " + ErrorText.of(cause), cause);
    }

    // The default exchange sends a message to the queue that its routing key names.
    private static DevLink rabbit(String url) throws URISyntaxException {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(new URI(url));
        } catch (NoSuchAlgorithmException | KeyManagementException e) {
            throw new IllegalArgumentException("this Java runtime has no TLS for amqps", e);
        }
        return new ExternalLink(
                "RabbitMQ at %s:%d, a queue for each topic".formatted(factory.getHost(), factory.getPort()),
                RabbitPublisher.builder(factory)
                        .defaultExchange()
                        .routingKey("{topic}")
                        .build(),
                (consumer, inbox) -> receiving(factory, consumer, inbox));
    }

    private static AutoCloseable receiving(ConnectionFactory factory, ShopConsumer consumer, Inbox inbox) {
        List<RabbitInboxConsumer> started = new ArrayList<>();
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            for (String topic : consumer.topics()) {
                channel.queueDeclare(topic, true, false, false, Map.of("x-queue-type", "quorum"));
            }
        } catch (IOException | TimeoutException e) {
            throw unusable(e);
        }
        for (String topic : consumer.topics()) {
            started.add(RabbitInboxConsumer.builder(inbox, consumer.name(), factory)
                    .queue(topic)
                    .handler(consumer.handler())
                    .build()
                    .start());
        }
        return () -> started.forEach(RabbitInboxConsumer::close);
    }

    private static DevLink http(String url) throws URISyntaxException {
        URI endpoint = new URI(url);
        String host = endpoint.getHost();
        if (host == null) {
            throw new URISyntaxException(url, "the URL names no host");
        }
        HttpPublisherBuilder builder =
                HttpPublisher.builder(url).allowPlaintext(true).allowHost(host.replaceAll("[\\[\\]]", ""));
        if (endpoint.getPort() > 0) {
            builder.allowPort(endpoint.getPort());
        }
        return new ExternalLink(
                "HTTP at %s; nothing is received".formatted(host), builder.build(), (consumer, inbox) -> () -> {});
    }

    private static StartException usage(String line, @Nullable Exception cause) {
        return new StartException(StartException.USAGE, line, cause);
    }
}
