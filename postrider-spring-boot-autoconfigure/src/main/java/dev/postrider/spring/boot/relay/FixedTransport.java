package dev.postrider.spring.boot.relay;

import dev.postrider.spi.MessagePublisher;
import dev.postrider.spring.boot.PostriderProperties;

/** One publisher for every topic, whatever its settings. */
record FixedTransport(String name, MessagePublisher publisher) implements Transport {

    @Override
    public MessagePublisher publisher(PostriderProperties.Topic settings) {
        return publisher;
    }
}
