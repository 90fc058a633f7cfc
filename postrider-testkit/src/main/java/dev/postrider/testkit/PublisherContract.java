package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Shards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What every publisher must do. A publisher proves itself by a subclass that hands it over, with a broker behind it in
 * which every test finds {@link #topic()} empty.
 */
public abstract class PublisherContract {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final AtomicLong SEQUENCE = new AtomicLong();

    /** For subclasses. */
    protected PublisherContract() {}

    /** The publisher under test, open. The same one throughout a test. */
    protected abstract MessagePublisher publisher();

    /** An empty topic the broker knows. The same one throughout a test. */
    protected abstract String topic();

    /**
     * Returns what has arrived in {@link #topic()} so far, in the broker's order: at least id, payload, headers and,
     * where the broker has keys, the key. Built by {@link OutboxMessage.Builder#restore}.
     */
    protected abstract List<OutboxMessage> arrived();

    /** A message to {@link #topic()} that the broker will never take because of its size; empty if there is none. */
    protected Optional<OutboxMessage> tooLarge() {
        return Optional.empty();
    }

    /** Whether a message's key arrives together with it. */
    protected boolean carriesKeys() {
        return true;
    }

    @Test
    void everyMessageOfAWaveIsAckedExactlyOnce() {
        List<ClaimedMessage> wave = IntStream.range(0, 50)
                .mapToObj(i -> claimed(keyed("key-" + i, "{}")))
                .toList();
        Answers answers = new Answers();

        publisher().publish(wave, answers::add);

        answers.awaitAll(wave);
        awaitArrived(wave.size());
        assertThat(answers.count()).isEqualTo(wave.size());
        assertThat(wave).allSatisfy(each -> assertThat(answers.of(each)).isEqualTo(PublishResult.acked()));
        assertThat(ids(arrived())).containsExactlyInAnyOrderElementsOf(idsOfClaims(wave));
    }

    @Test
    void anEmptyWaveIsNoTrouble() {
        Answers answers = new Answers();

        publisher().publish(List.of(), answers::add);

        assertThat(answers.count()).isZero();
    }

    @Test
    void everyByteArrives() {
        byte[] everyByte = new byte[512];
        for (int i = 0; i < everyByte.length; i++) {
            everyByte[i] = (byte) i;
        }
        OutboxMessage message = OutboxMessage.to(topic(), "Binary")
                .contentType("application/octet-stream")
                .payload(everyByte)
                .build();

        publishAndAwait(message);

        assertThat(onlyArrival().payload()).containsExactly(everyByte);
    }

    @Test
    void anEmptyPayloadArrives() {
        publishAndAwait(OutboxMessage.to(topic(), "Empty").build());

        assertThat(onlyArrival().payload()).isEmpty();
    }

    @Test
    void idKeyAndHeadersArriveUnchanged() {
        OutboxMessage message = OutboxMessage.to(topic(), "OrderPlaced")
                .key("order-42")
                .header("trace", "00-abc-def-01")
                .header("note", "two words; and = signs")
                .payload("{\"amount\": 1.0}")
                .build();

        publishAndAwait(message);

        OutboxMessage arrival = onlyArrival();
        assertThat(arrival.id()).isEqualTo(message.id());
        assertThat(arrival.headers()).containsAllEntriesOf(message.headers());
        assertThat(arrival.payload()).isEqualTo(message.payload());
        if (carriesKeys()) {
            assertThat(arrival.key()).isEqualTo(message.key());
        }
    }

    @Test
    void aKeyStaysInOrderFromWaveToWave() {
        List<UUID> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ClaimedMessage next = claimed(keyed("42", "number " + i));
            Answers answers = new Answers();
            publisher().publish(List.of(next, claimed(keyed("other-" + i, "noise"))), answers::add);
            answers.awaitAll(List.of(next));
            sent.add(next.message().id());
        }

        awaitArrived(40);

        assertThat(ids(arrived()).stream().filter(sent::contains)).containsExactlyElementsOf(sent);
    }

    @Test
    void wavesOfSeveralThreadsAreAllAnswered() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(4);
        Answers answers = new Answers();
        List<ClaimedMessage> all = IntStream.range(0, 100)
                .mapToObj(i -> claimed(keyed("key-" + i, "{}")))
                .toList();
        try {
            List<Future<?>> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                List<ClaimedMessage> wave = all.subList(i * 25, (i + 1) * 25);
                threads.add(executor.submit(() -> publisher().publish(wave, answers::add)));
            }
            for (Future<?> thread : threads) {
                thread.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }

            answers.awaitAll(all);
            awaitArrived(all.size());
            assertThat(answers.count()).isEqualTo(all.size());
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void aMessageThatIsTooLargeIsRejectedAndTheOthersArrive() {
        Optional<OutboxMessage> large = tooLarge();
        assumeTrue(large.isPresent(), "This broker takes any size we can send");
        ClaimedMessage tooLarge = claimed(large.orElseThrow());
        ClaimedMessage small = claimed(keyed("small", "{}"));
        Answers answers = new Answers();

        publisher().publish(List.of(tooLarge, small), answers::add);

        answers.awaitAll(List.of(tooLarge, small));
        assertThat(answers.of(tooLarge).kind()).isEqualTo(PublishResult.Kind.REJECTED);
        assertThat(answers.of(tooLarge).error()).isNotBlank();
        assertThat(answers.of(small)).isEqualTo(PublishResult.acked());
    }

    @Test
    void aLargeWaveIsHandedOverWithoutALongWait() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        List<ClaimedMessage> wave = IntStream.range(0, 200)
                .mapToObj(i -> claimed(keyed("key-" + i, "{}")))
                .toList();
        Answers answers = new Answers();
        try {
            Future<?> publishing = executor.submit(() -> publisher().publish(wave, answers::add));

            publishing.get(10, TimeUnit.SECONDS);
            answers.awaitAll(wave);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void closingTwiceIsNoTrouble() {
        publishAndAwait(keyed("42", "{}"));

        publisher().close();

        assertThatCode(() -> publisher().close()).doesNotThrowAnyException();
    }

    @Test
    void aClosedPublisherAcksNothing() {
        publisher().close();
        ClaimedMessage late = claimed(keyed("42", "{}"));
        Answers answers = new Answers();

        try {
            publisher().publish(List.of(late), answers::add);
            answers.awaitAll(List.of(late));
            assertThat(answers.of(late).kind()).isEqualTo(PublishResult.Kind.UNAVAILABLE);
        } catch (RuntimeException refused) {
            assertThat(answers.count()).isZero();
        }
    }

    private OutboxMessage keyed(String key, String payload) {
        return OutboxMessage.to(topic(), "OrderPlaced")
                .key(key)
                .payload(payload)
                .build();
    }

    private void publishAndAwait(OutboxMessage... messages) {
        List<ClaimedMessage> wave =
                Arrays.stream(messages).map(PublisherContract::claimed).toList();
        Answers answers = new Answers();
        publisher().publish(wave, answers::add);
        answers.awaitAll(wave);
        assertThat(wave).allSatisfy(each -> assertThat(answers.of(each)).isEqualTo(PublishResult.acked()));
        awaitArrived(messages.length);
    }

    private OutboxMessage onlyArrival() {
        List<OutboxMessage> arrived = arrived();
        assertThat(arrived).hasSize(1);
        return arrived.get(0);
    }

    private void awaitArrived(int count) {
        Poll.until(PATIENCE, () -> arrived().size() >= count);
        assertThat(arrived()).hasSize(count);
    }

    private static List<UUID> ids(List<OutboxMessage> messages) {
        return messages.stream().map(OutboxMessage::id).toList();
    }

    private static List<UUID> idsOfClaims(List<ClaimedMessage> wave) {
        return wave.stream().map(claimed -> claimed.message().id()).toList();
    }

    private static ClaimedMessage claimed(OutboxMessage message) {
        long seq = SEQUENCE.incrementAndGet();
        return new ClaimedMessage(seq, seq, Shards.of(message), 1, false, 0, false, null, message);
    }

    /** Collects answers from any thread. */
    private static final class Answers {

        private final List<Map.Entry<ClaimedMessage, PublishResult>> all = new ArrayList<>();

        synchronized void add(ClaimedMessage message, PublishResult result) {
            all.add(Map.entry(message, result));
        }

        synchronized int count() {
            return all.size();
        }

        PublishResult of(ClaimedMessage message) {
            return matching(message).findFirst().orElseThrow();
        }

        void awaitAll(List<ClaimedMessage> messages) {
            BooleanSupplier answered = () ->
                    messages.stream().allMatch(each -> matching(each).findAny().isPresent());
            Poll.until(PATIENCE, answered);
            assertThat(answered.getAsBoolean())
                    .as("all of %d messages answered", messages.size())
                    .isTrue();
        }

        private synchronized Stream<PublishResult> matching(ClaimedMessage message) {
            return List.copyOf(all).stream()
                    .filter(entry -> entry.getKey().equals(message))
                    .map(Map.Entry::getValue);
        }
    }
}
