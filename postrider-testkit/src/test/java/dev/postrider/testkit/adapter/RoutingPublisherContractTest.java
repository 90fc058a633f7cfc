package dev.postrider.testkit.adapter;

import dev.postrider.OutboxMessage;
import dev.postrider.publish.HandlerPublisher;
import dev.postrider.publish.RoutingPublisher;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishResult;
import dev.postrider.testkit.FlakyPublisher;
import dev.postrider.testkit.PublisherContract;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** The topic of the contract goes to one of two publishers. */
final class RoutingPublisherContractTest extends PublisherContract {

    private static final int LIMIT = 1_000;

    private final FlakyPublisher orders = new FlakyPublisher()
            .always(message -> message.payloadSize() > LIMIT, PublishResult.rejected("More than 1000 bytes"));
    private final RoutingPublisher publisher = RoutingPublisher.builder()
            .route("invoices", HandlerPublisher.of("invoices", delivery -> {}))
            .route("order*", orders)
            .build();

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
        return orders.broker().received("orders");
    }

    @Override
    protected Optional<OutboxMessage> tooLarge() {
        return Optional.of(
                OutboxMessage.to("orders", "Large").payload(new byte[LIMIT + 1]).build());
    }
}
