package dev.postrider.testkit.adapter;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishResult;
import dev.postrider.testkit.FlakyPublisher;
import dev.postrider.testkit.PublisherContract;
import java.util.List;
import java.util.Optional;

/** Without trouble the flaky publisher is as good as any. */
final class FlakyPublisherContractTest extends PublisherContract {

    private final FlakyPublisher publisher = new FlakyPublisher()
            .always(message -> message.payloadSize() > 1_000, PublishResult.rejected("More than 1000 bytes"));

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
        return publisher.broker().received("orders");
    }

    @Override
    protected Optional<OutboxMessage> tooLarge() {
        return Optional.of(
                OutboxMessage.to("orders", "Large").payload(new byte[1_001]).build());
    }
}
