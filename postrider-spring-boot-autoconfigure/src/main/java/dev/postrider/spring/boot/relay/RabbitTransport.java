package dev.postrider.spring.boot.relay;

import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.rabbitmq.RabbitPublisher;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spring.boot.PostriderProperties;

/** Publishes to RabbitMQ with the settings of the application's connection factory. */
final class RabbitTransport implements Transport {

    private final ConnectionFactory factory;
    private final boolean allowPlaintext;

    RabbitTransport(ConnectionFactory factory, boolean allowPlaintext) {
        this.factory = factory;
        this.allowPlaintext = allowPlaintext;
    }

    @Override
    public String name() {
        return "rabbitmq";
    }

    @Override
    public MessagePublisher publisher(PostriderProperties.Topic settings) {
        RabbitPublisher.Builder builder = RabbitPublisher.builder(factory).allowPlaintext(allowPlaintext);
        String exchange = settings.exchange();
        if (exchange != null) {
            if (exchange.isEmpty()) {
                builder.defaultExchange();
            } else {
                builder.exchange(exchange);
            }
        }
        if (settings.routingKey() != null) {
            builder.routingKey(settings.routingKey());
        }
        return builder.build();
    }
}
