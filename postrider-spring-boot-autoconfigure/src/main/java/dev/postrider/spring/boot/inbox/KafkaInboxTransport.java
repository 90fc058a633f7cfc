package dev.postrider.spring.boot.inbox;

import dev.postrider.inbox.Inbox;
import dev.postrider.inbox.ReceivedHandler;
import dev.postrider.kafka.KafkaInboxConsumer;
import dev.postrider.spring.boot.internal.StartStop;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.kafka.core.ConsumerFactory;

/** Receives from Kafka with the settings of the application's consumer factory, including those of its security. */
final class KafkaInboxTransport implements InboxTransport {

    private final Inbox inbox;
    private final ConsumerFactory<?, ?> factory;
    private final boolean allowPlaintext;

    KafkaInboxTransport(Inbox inbox, ConsumerFactory<?, ?> factory, boolean allowPlaintext) {
        this.inbox = inbox;
        this.factory = factory;
        this.allowPlaintext = allowPlaintext;
    }

    @Override
    public String attribute() {
        return "topics";
    }

    @Override
    public StartStop consumer(String consumer, List<String> sources, int threads, ReceivedHandler handler) {
        Map<String, Object> settings = new HashMap<>(factory.getConfigurationProperties());
        settings.remove("key.deserializer");
        settings.remove("value.deserializer");
        // Two consumers in one group would each get a part of the messages.
        settings.remove("group.id");
        settings.computeIfPresent("client.id", (name, id) -> id + "-" + consumer);
        KafkaInboxConsumer receiver = KafkaInboxConsumer.builder(inbox, consumer, settings)
                .topics(sources)
                .threads(threads)
                .allowPlaintext(allowPlaintext)
                .handler(handler)
                .build();
        return new StartStop(receiver::start, receiver::close);
    }
}
