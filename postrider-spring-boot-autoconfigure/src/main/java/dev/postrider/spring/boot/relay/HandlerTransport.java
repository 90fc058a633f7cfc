package dev.postrider.spring.boot.relay;

import dev.postrider.spi.MessagePublisher;
import dev.postrider.spring.boot.PostriderProperties;

/** Delivers to the methods of this application with {@code @OutboxHandler}. */
final class HandlerTransport implements Transport {

    private final MessagePublisher handlers;

    HandlerTransport(MessagePublisher handlers) {
        this.handlers = handlers;
    }

    @Override
    public String name() {
        return "handler";
    }

    @Override
    public MessagePublisher publisher(PostriderProperties.Topic settings) {
        return handlers;
    }
}
