package dev.postrider.testkit;

import dev.postrider.spi.ClaimedMessage;
import java.util.List;
import org.assertj.core.api.AbstractAssert;

/** Says what a broker received. */
public final class PublisherAssert extends AbstractAssert<PublisherAssert, RecordingPublisher> {

    PublisherAssert(RecordingPublisher publisher) {
        super(publisher, PublisherAssert.class);
    }

    /** Something was received in this topic; what follows says more about it. */
    public ReceivedAssert received(String topic) {
        List<ClaimedMessage> inTopic = actual.deliveries().stream()
                .filter(delivery -> delivery.message().topic().equals(topic))
                .toList();
        if (inTopic.isEmpty()) {
            failWithMessage(
                    "Expected a message in topic '%s' but %s",
                    topic, MessagesAssert.describe("the broker", actual.received()));
        }
        return new ReceivedAssert(topic, inTopic);
    }

    /** Nothing was received in any topic. */
    public PublisherAssert receivedNothing() {
        if (!actual.deliveries().isEmpty()) {
            failWithMessage("Expected no message but %s", MessagesAssert.describe("the broker", actual.received()));
        }
        return this;
    }
}
