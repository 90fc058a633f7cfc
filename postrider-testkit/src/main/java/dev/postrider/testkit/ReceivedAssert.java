package dev.postrider.testkit;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.AbstractAssert;

/** Says what a broker received in one topic. */
public final class ReceivedAssert extends AbstractAssert<ReceivedAssert, List<ClaimedMessage>> {

    private final String scope;

    ReceivedAssert(String topic, List<ClaimedMessage> deliveries) {
        super(deliveries, ReceivedAssert.class);
        this.scope = "topic '%s'".formatted(topic);
    }

    /**
     * Messages of the key were received, each for the first time in the order in which they were enqueued; duplicates
     * may follow.
     */
    public ReceivedAssert inOrderForKey(String key) {
        List<ClaimedMessage> ofKey = actual.stream()
                .filter(delivery -> delivery.message().key().filter(key::equals).isPresent())
                .toList();
        if (ofKey.isEmpty()) {
            failWithMessage(
                    "Expected a message with key '%s' but %s", key, MessagesAssert.describe(scope, messages(actual)));
        }
        long highest = Long.MIN_VALUE;
        Set<Long> seen = new HashSet<>();
        for (ClaimedMessage delivery : ofKey) {
            if (seen.add(delivery.seq()) && delivery.seq() < highest) {
                failWithMessage(
                        "Expected key '%s' in enqueue order but %s came after a later one: %s",
                        key, delivery.message(), MessagesAssert.describe(scope, messages(ofKey)));
            }
            highest = Math.max(highest, delivery.seq());
        }
        return this;
    }

    /** Messages of exactly these types were received, in this order, duplicates included. */
    public ReceivedAssert exactly(String... types) {
        List<String> received =
                actual.stream().map(delivery -> delivery.message().type()).toList();
        if (!received.equals(List.of(types))) {
            failWithMessage(
                    "Expected exactly the types %s in this order but %s",
                    Arrays.toString(types), MessagesAssert.describe(scope, messages(actual)));
        }
        return this;
    }

    /** No message was received twice. */
    public ReceivedAssert withoutDuplicates() {
        Set<Long> seen = new HashSet<>();
        for (ClaimedMessage delivery : actual) {
            if (!seen.add(delivery.seq())) {
                failWithMessage(
                        "Expected no duplicates but %s came twice: %s",
                        delivery.message(), MessagesAssert.describe(scope, messages(actual)));
            }
        }
        return this;
    }

    /** One of them has this type; what follows says more about it. */
    public MessagesAssert ofType(String type) {
        return new MessagesAssert(scope, messages(actual)).ofType(type);
    }

    private static List<OutboxMessage> messages(List<ClaimedMessage> deliveries) {
        return deliveries.stream().map(ClaimedMessage::message).toList();
    }
}
