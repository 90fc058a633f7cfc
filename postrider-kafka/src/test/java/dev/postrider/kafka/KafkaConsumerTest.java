package dev.postrider.kafka;

import dev.postrider.consumers.ConsumerContract;
import dev.postrider.consumers.TestBroker;

final class KafkaConsumerTest extends ConsumerContract {

    @Override
    protected TestBroker newBroker(int lanes) {
        return new KafkaTopic(Cluster.shared(), lanes);
    }
}
