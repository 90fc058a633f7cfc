package dev.postrider.spring.boot.inbox;

import com.rabbitmq.client.ConnectionFactory;
import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.ReceivedHandler;
import dev.postrider.rabbitmq.RabbitInboxConsumer;
import dev.postrider.spring.boot.internal.StartStop;
import java.util.List;

/** Receives from RabbitMQ with the settings of the application's connection factory. */
final class RabbitInboxTransport implements InboxTransport {

    private final Inbox inbox;
    private final ConnectionFactory factory;
    private final boolean allowPlaintext;

    RabbitInboxTransport(Inbox inbox, ConnectionFactory factory, boolean allowPlaintext) {
        this.inbox = inbox;
        this.factory = factory;
        this.allowPlaintext = allowPlaintext;
    }

    @Override
    public String attribute() {
        return "queue";
    }

    @Override
    public StartStop consumer(String consumer, List<String> sources, int threads, ReceivedHandler handler) {
        RabbitInboxConsumer receiver = RabbitInboxConsumer.builder(inbox, consumer, factory)
                .queue(sources.get(0))
                .threads(threads)
                .allowPlaintext(allowPlaintext)
                .handler(handler)
                .build();
        return new StartStop(receiver::start, receiver::close);
    }
}
