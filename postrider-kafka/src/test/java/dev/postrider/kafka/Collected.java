package dev.postrider.kafka;

import static org.awaitility.Awaitility.await;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Shards;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Publishes messages and collects the first answer to each. */
final class Collected {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    // Of as many digits from the first to the last, because the sequence is part of the record.
    private static final AtomicLong SEQUENCE = new AtomicLong(1_000_000);

    private final Map<ClaimedMessage, PublishResult> results = new ConcurrentHashMap<>();
    private final List<ClaimedMessage> wave;

    private Collected(List<ClaimedMessage> wave) {
        this.wave = wave;
    }

    static Collected publish(MessagePublisher publisher, OutboxMessage... messages) {
        return publish(publisher, Arrays.asList(messages));
    }

    /** Publishes one wave and does not wait for its answers. */
    static Collected publish(MessagePublisher publisher, List<OutboxMessage> messages) {
        Collected collected =
                new Collected(messages.stream().map(Collected::claimed).toList());
        publisher.publish(collected.wave, collected.results::putIfAbsent);
        return collected;
    }

    static ClaimedMessage claimed(OutboxMessage message) {
        long seq = SEQUENCE.incrementAndGet();
        return new ClaimedMessage(seq, seq, "relay", Shards.of(message), 1, false, 0, false, null, message);
    }

    /** Publishes one message and returns its answer. */
    static PublishResult result(MessagePublisher publisher, OutboxMessage message) {
        return publish(publisher, message).all().get(0);
    }

    /** Waits for every answer and returns them in the order of the messages. */
    List<PublishResult> all() {
        await().atMost(PATIENCE).until(() -> results.size() == wave.size());
        return wave.stream()
                .map(claimed -> Objects.requireNonNull(results.get(claimed)))
                .toList();
    }

    /** Waits for every answer and returns the ids of what was acked. */
    List<String> acked() {
        List<PublishResult> answers = all();
        return IntStream.range(0, wave.size())
                .filter(i -> answers.get(i).equals(PublishResult.acked()))
                .mapToObj(i -> wave.get(i).message().id().toString())
                .toList();
    }

    /** How many answers there are by now. */
    int answered() {
        return results.size();
    }

    List<PublishResult.Kind> kinds() {
        return all().stream().map(PublishResult::kind).toList();
    }
}
