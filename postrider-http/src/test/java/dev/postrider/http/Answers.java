package dev.postrider.http;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Shards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** The answers to one wave, in the order in which they came. */
final class Answers {

    static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final AtomicLong SEQUENCE = new AtomicLong();

    private final List<PublishResult> all = new CopyOnWriteArrayList<>();

    static ClaimedMessage claimed(OutboxMessage message) {
        long seq = SEQUENCE.incrementAndGet();
        return new ClaimedMessage(seq, seq, "relay", Shards.of(message), 1, false, 0, false, null, message);
    }

    static OutboxMessage message() {
        return OutboxMessage.to("orders", "OrderPlaced")
                .key("42")
                .payload("{\"a\": 1}")
                .build();
    }

    /** Publishes and returns without waiting. */
    static Answers publish(MessagePublisher publisher, OutboxMessage... messages) {
        Answers answers = new Answers();
        List<ClaimedMessage> wave = new ArrayList<>();
        Arrays.stream(messages).map(Answers::claimed).forEach(wave::add);
        publisher.publish(wave, (message, result) -> answers.all.add(result));
        return answers;
    }

    /** Publishes one message and waits for its answer. */
    static PublishResult answer(MessagePublisher publisher, OutboxMessage message) {
        return publish(publisher, message).await(1).get(0);
    }

    /** Publishes the same claim and waits for its answer. */
    static PublishResult answer(MessagePublisher publisher, ClaimedMessage claimed) {
        Answers answers = new Answers();
        publisher.publish(List.of(claimed), (message, result) -> answers.all.add(result));
        return answers.await(1).get(0);
    }

    int count() {
        return all.size();
    }

    List<PublishResult> await(int count) {
        org.awaitility.Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .atMost(PATIENCE)
                .until(() -> all.size() >= count);
        return List.copyOf(all);
    }
}
