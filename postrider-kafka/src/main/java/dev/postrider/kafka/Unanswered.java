package dev.postrider.kafka;

import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Every message that has no answer yet. It sees to it that each gets one in time, whatever the client does, because the
 * relay would count silence against the message. Thread-safe.
 */
final class Unanswered {

    static final PublishResult CLOSED = PublishResult.unavailable("The publisher is closed");

    private final Set<Wave> waves = ConcurrentHashMap.newKeySet();
    private final Duration answerWithin;
    private volatile boolean closed;

    Unanswered(Duration answerWithin) {
        this.answerWithin = answerWithin;
    }

    void add(Wave wave) {
        waves.add(wave);
        // Looked at afterwards: whoever closes looks at the messages after the flag.
        if (closed) {
            wave.forEach(message -> message.answer(CLOSED));
        }
    }

    /** Answers for every message that has waited too long and hands it to {@code late}. */
    void expire(Consumer<Pending> late) {
        long now = System.nanoTime();
        waves.removeIf(Wave::isEmpty);
        for (Wave wave : waves) {
            if (now - wave.since() > answerWithin.toNanos()) {
                wave.forEach(message -> {
                    message.answer(PublishResult.unavailable("Kafka did not answer within " + answerWithin));
                    late.accept(message);
                });
            }
        }
    }

    /** Answers for every message, now and from now on. */
    void close() {
        closed = true;
        waves.forEach(wave -> wave.forEach(message -> message.answer(CLOSED)));
    }
}
