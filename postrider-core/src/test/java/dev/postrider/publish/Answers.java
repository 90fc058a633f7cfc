package dev.postrider.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishAnswers;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Shards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;

/** Collects the answers of a publisher, from any thread. */
final class Answers implements PublishAnswers {

    static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final AtomicLong SEQUENCE = new AtomicLong();

    private final List<Answer> all = new ArrayList<>();

    private record Answer(ClaimedMessage claimed, PublishResult result) {}

    /** A claim on the message such as no other. */
    static ClaimedMessage claimed(OutboxMessage message) {
        long seq = SEQUENCE.incrementAndGet();
        return new ClaimedMessage(seq, seq, "relay", Shards.of(message), 1, false, 0, false, null, message);
    }

    /** The claim after this one on the same message. */
    static ClaimedMessage again(ClaimedMessage claimed) {
        return new ClaimedMessage(
                claimed.seq(),
                SEQUENCE.incrementAndGet(),
                claimed.claimedBy(),
                claimed.shard(),
                claimed.attempt() + 1,
                claimed.held(),
                claimed.lostClaims(),
                claimed.onTrial(),
                claimed.defect(),
                claimed.message());
    }

    /** Waits until other threads have brought this about. */
    static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }

    @Override
    public synchronized void answer(ClaimedMessage message, PublishResult result) {
        all.add(new Answer(message, result));
    }

    synchronized int count() {
        return all.size();
    }

    synchronized List<PublishResult> of(ClaimedMessage claimed) {
        return all.stream()
                .filter(answer -> answer.claimed().equals(claimed))
                .map(Answer::result)
                .toList();
    }

    /** Waits for the answer to this message, which has to be the only one. */
    PublishResult awaitFor(ClaimedMessage claimed) {
        await(() -> !of(claimed).isEmpty());
        assertThat(of(claimed)).hasSize(1);
        return of(claimed).get(0);
    }

    PublishResult.Kind awaitKind(ClaimedMessage claimed) {
        return awaitFor(claimed).kind();
    }
}
