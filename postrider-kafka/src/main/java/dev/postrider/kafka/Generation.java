package dev.postrider.kafka;

import dev.postrider.spi.PublishResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One producer from its first message to its end. Thread-safe. */
final class Generation {

    // Long enough for the answers to other topics that are under way, when one topic made the producer time out.
    private static final Duration DRAIN = Duration.ofMillis(500);
    private static final long PAUSE = Duration.ofMillis(5).toNanos();
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final Producer<byte[], byte[]> producer;
    private final BiConsumer<Generation, String> broken;
    private volatile @Nullable String retired;
    private final AtomicInteger inFlight = new AtomicInteger();

    /** Calls {@code broken} with a reason when the producer must not be used any more. */
    Generation(Producer<byte[], byte[]> producer, BiConsumer<Generation, String> broken) {
        this.producer = producer;
        this.broken = broken;
    }

    /** Makes the producer know the topic; blocks until it does. */
    void learn(String topic) {
        try {
            producer.partitionsFor(topic);
        } catch (KafkaException e) {
            retireIfBroken(e, false);
            throw e;
        }
    }

    /** Sends messages to one topic and returns the rest if this producer turns out to have ended. */
    List<Pending> send(List<Pending> messages) {
        for (int i = 0; i < messages.size(); i++) {
            if (retired != null) {
                return messages.subList(i, messages.size());
            }
            PublishResult refusal = messages.get(i).answered() ? null : send(messages.get(i));
            if (refusal != null && refusal.kind() == PublishResult.Kind.UNAVAILABLE) {
                // Each of the others would wait as long as this one did, and the caller with them.
                messages.subList(i, messages.size()).forEach(message -> message.answer(refusal));
                return List.of();
            }
        }
        return List.of();
    }

    /** Returns the answer if the producer did not take the message. */
    private @Nullable PublishResult send(Pending message) {
        Dispatch dispatch = new Dispatch(message);
        inFlight.incrementAndGet();
        message.markSent();
        try {
            Future<RecordMetadata> unused = producer.send(message.data(), dispatch);
        } catch (KafkaException | IllegalStateException e) {
            dispatch.onCompletion(null, e);
        }
        return dispatch.refusal;
    }

    /** One call of the producer, which may answer before the call is over: then it did not take the message. */
    private final class Dispatch implements Callback {

        private final Thread caller = Thread.currentThread();
        private final Pending message;
        private @Nullable PublishResult refusal;

        private Dispatch(Pending message) {
            this.message = message;
        }

        @Override
        public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception error) {
            inFlight.decrementAndGet();
            PublishResult result = resultOf(error);
            boolean taken = Thread.currentThread() != caller;
            if (!taken) {
                refusal = result;
            }
            message.answer(result);
            if (error != null) {
                retireIfBroken(error, taken);
            }
        }

        private PublishResult resultOf(@Nullable Exception error) {
            if (error == null) {
                return PublishResult.acked();
            }
            String reason = retired;
            return reason == null
                    ? KafkaErrors.result(error, message.topic())
                    : PublishResult.unavailable("The Kafka producer was replaced: " + reason);
        }
    }

    // If time ran out before the producer took a message, none of it is under way and the producer is as good as
    // before.
    private void retireIfBroken(Exception error, boolean taken) {
        if (KafkaErrors.endsProducer(error) && (taken || !(error instanceof TimeoutException))) {
            broken.accept(this, KafkaErrors.text(error));
        }
    }

    /** From now on nothing is sent, and what fails fails because of {@code reason}. */
    void retire(String reason) {
        retired = reason;
    }

    /** Ends a retired producer; afterwards it sends nothing more. */
    void end() {
        awaitAnswers(DRAIN);
        producer.close(Duration.ZERO);
    }

    /** Waits a moment for the broker's answers and ends the producer. */
    void close() {
        retire("The publisher is closed");
        producer.close(CLOSE);
    }

    private void awaitAnswers(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        while (inFlight.get() > 0 && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(PAUSE);
        }
    }
}
