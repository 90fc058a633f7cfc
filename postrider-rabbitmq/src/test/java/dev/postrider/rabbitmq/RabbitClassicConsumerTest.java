package dev.postrider.rabbitmq;

import dev.postrider.consumers.ConsumerContract;
import dev.postrider.consumers.TestBroker;

final class RabbitClassicConsumerTest extends ConsumerContract {

    @Override
    protected TestBroker newBroker(int lanes) {
        return new RabbitQueue(Broker.shared(), "classic");
    }
}
