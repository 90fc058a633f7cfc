package dev.postrider.rabbitmq;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Shards;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Publishes without a relay and collects the answers. */
final class Answers implements PublishAnswers {

    static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final AtomicLong SEQUENCE = new AtomicLong();

    private final Map<Long, CompletableFuture<PublishResult>> bySeq = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();

    static ClaimedMessage claimed(OutboxMessage message) {
        long seq = SEQUENCE.incrementAndGet();
        return new ClaimedMessage(seq, seq, "relay", Shards.of(message), 1, false, 0, false, null, message);
    }

    static List<ClaimedMessage> claimed(OutboxMessage... messages) {
        return Arrays.stream(messages).map(Answers::claimed).toList();
    }

    /** Publishes one message and returns the answer. */
    static PublishResult of(MessagePublisher publisher, OutboxMessage message) {
        ClaimedMessage claimed = claimed(message);
        Answers answers = new Answers();
        publisher.publish(List.of(claimed), answers);
        return answers.await(claimed);
    }

    @Override
    public void answer(ClaimedMessage message, PublishResult result) {
        count.incrementAndGet();
        answer(message.seq()).complete(result);
    }

    int count() {
        return count.get();
    }

    /** Returns the answer if there is one already. */
    Optional<PublishResult> now(ClaimedMessage message) {
        return Optional.ofNullable(answer(message.seq()).getNow(null));
    }

    PublishResult await(ClaimedMessage message) {
        try {
            return answer(message.seq()).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("No answer for " + message.message(), e);
        }
    }

    private CompletableFuture<PublishResult> answer(long seq) {
        return bySeq.computeIfAbsent(seq, each -> new CompletableFuture<>());
    }

    Answers awaitAll(List<ClaimedMessage> wave) {
        wave.forEach(this::await);
        return this;
    }

    PublishResult.Kind kind(ClaimedMessage message) {
        return await(message).kind();
    }
}
