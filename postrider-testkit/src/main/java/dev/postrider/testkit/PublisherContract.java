package dev.postrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postrider.OutboxMessage;
import dev.postrider.publish.MessageHeaders;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Shards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What every publisher must do. A publisher proves itself by a subclass that hands it over, with a broker behind it in
 * which every test finds {@link #topic()} empty.
 */
public abstract class PublisherContract {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
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

    /** Returns a header's value as it was enqueued, if the publisher had to encode it for the broker. */
    protected String decoded(String headerValue) {
        return headerValue;
    }

    /**
     * Returns what a consumer is told under this name of {@link MessageHeaders}: by default what stands in the header,
     * or in the message itself where no header is needed.
     */
    protected Optional<String> told(OutboxMessage arrival, String header) {
        return arrival.headers().entrySet().stream()
                .filter(entry -> entry.getKey().equalsIgnoreCase(header))
                .map(entry -> decoded(entry.getValue()))
                .findFirst()
                .or(() -> Optional.ofNullable(
                        MessageHeaders.of(claimed(arrival), arrival.topic()).get(header)));
    }

    /** Names the headers that are not the same when a message is sent again, such as the time of a signature. */
    protected Set<String> changingHeaders() {
        return Set.of();
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
    void aHeaderMayBeInAnyScript() {
        String value = "Grüße aus Zürich, 世界 \uD83D\uDE80";

        publishAndAwait(OutboxMessage.to(topic(), "OrderPlaced")
                .header("greeting", value)
                .build());

        assertThat(told(onlyArrival(), "greeting")).contains(value);
    }

    @Test
    @Tag("R1.17")
    void theConsumerCanTellAMessageByItsIdAndItsDedupeKey() {
        OutboxMessage message = OutboxMessage.to(topic(), "OrderPlaced")
                .dedupeKey("acme/order-42/placed")
                .build();

        publishAndAwait(message);

        assertThat(onlyArrival().id()).isEqualTo(message.id());
        assertThat(told(onlyArrival(), MessageHeaders.DEDUPE_KEY)).contains("acme/order-42/placed");
    }

    @Test
    void theConsumerIsToldVersionAndTenant() {
        publishAndAwait(OutboxMessage.to(topic(), "OrderPlaced")
                .version(3)
                .tenant("acme")
                .build());

        assertThat(told(onlyArrival(), MessageHeaders.VERSION)).contains("3");
        assertThat(told(onlyArrival(), MessageHeaders.TENANT)).contains("acme");
    }

    @Test
    @Tag("R1.17")
    void aMessageThatIsSentAgainIsTheSameToTheBit() {
        ClaimedMessage first = claimed(OutboxMessage.to(topic(), "OrderPlaced")
                .key("42")
                .version(3)
                .tenant("acme")
                .dedupeKey("acme/42")
                .header("trace", "00-abc-def-01")
                .payload("{\"amount\": 1.0}")
                .build());

        publishAndAwait(first);
        publishAndAwait(secondAttempt(first));

        List<OutboxMessage> both = arrived();
        assertThat(both).hasSize(2);
        assertThat(both.get(1).id()).isEqualTo(both.get(0).id());
        assertThat(both.get(1).key()).isEqualTo(both.get(0).key());
        assertThat(both.get(1).payload()).isEqualTo(both.get(0).payload());
        assertThat(both.get(1).contentType()).isEqualTo(both.get(0).contentType());
        assertThat(lastingHeaders(both.get(1))).isEqualTo(lastingHeaders(both.get(0)));
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

            publishing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
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

    private void publishAndAwait(OutboxMessage message) {
        publishAndAwait(claimed(message));
    }

    private void publishAndAwait(ClaimedMessage claimed) {
        int before = arrived().size();
        Answers answers = new Answers();
        publisher().publish(List.of(claimed), answers::add);
        answers.awaitAll(List.of(claimed));
        assertThat(answers.of(claimed)).isEqualTo(PublishResult.acked());
        awaitArrived(before + 1);
    }

    private Map<String, String> lastingHeaders(OutboxMessage arrival) {
        Map<String, String> lasting = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        lasting.putAll(arrival.headers());
        lasting.keySet().removeIf(name -> changingHeaders().stream().anyMatch(name::equalsIgnoreCase));
        return lasting;
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
        return new ClaimedMessage(seq, seq, "relay", Shards.of(message), 1, false, 0, false, null, message);
    }

    // As a relay does it: the same row, another claim.
    private static ClaimedMessage secondAttempt(ClaimedMessage first) {
        return new ClaimedMessage(
                first.seq(),
                SEQUENCE.incrementAndGet(),
                first.claimedBy(),
                first.shard(),
                2,
                true,
                1,
                false,
                null,
                first.message());
    }
}
