package dev.postrider.testkit.adapter;

import dev.postrider.OutboxMessage;
import dev.postrider.publish.HandlerPublisher;
import dev.postrider.publish.RejectedMessageException;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.testkit.PublisherContract;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;

final class HandlerPublisherContractTest extends PublisherContract {

    private static final int LIMIT = 1_000;

    private final List<OutboxMessage> handled = new CopyOnWriteArrayList<>();
    private final HandlerPublisher publisher = HandlerPublisher.of("orders", delivery -> {
        if (delivery.message().payloadSize() > LIMIT) {
            throw new RejectedMessageException("More than %d bytes".formatted(LIMIT));
        }
        handled.add(delivery.message());
    });

    @AfterEach
    void close() {
        publisher.close();
    }

    @Override
    protected MessagePublisher publisher() {
        return publisher;
    }

    @Override
    protected String topic() {
        return "orders";
    }

    @Override
    protected List<OutboxMessage> arrived() {
        return handled;
    }

    @Override
    protected Optional<OutboxMessage> tooLarge() {
        return Optional.of(
                OutboxMessage.to("orders", "Large").payload(new byte[LIMIT + 1]).build());
    }
}
