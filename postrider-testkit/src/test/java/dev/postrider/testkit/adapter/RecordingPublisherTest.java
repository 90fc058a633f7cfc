package dev.postrider.testkit.adapter;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.testkit.PublisherContract;
import dev.postrider.testkit.RecordingPublisher;
import java.util.List;

final class RecordingPublisherTest extends PublisherContract {

    private final RecordingPublisher publisher = new RecordingPublisher();

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
        return publisher.received("orders");
    }
}
