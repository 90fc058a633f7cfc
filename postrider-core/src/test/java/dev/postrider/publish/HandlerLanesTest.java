package dev.postrider.publish;

import static dev.postrider.publish.Answers.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One at a time and in order per key, at the same time otherwise. */
class HandlerLanesTest {

    private final Answers answers = new Answers();
    private final CountDownLatch release = new CountDownLatch(1);
    private final ConcurrentLinkedQueue<Delivery> handled = new ConcurrentLinkedQueue<>();
    private @Nullable HandlerPublisher open;

    @AfterEach
    void close() {
        release.countDown();
        if (open != null) {
            open.close();
        }
    }

    @Tag("B1")
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void messagesOfAKeyRunInOrderAndNeverAtTheSameTime(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Set<Object> running = ConcurrentHashMap.newKeySet();
        ConcurrentLinkedQueue<String> overlaps = new ConcurrentLinkedQueue<>();
        HandlerPublisher publisher = use(builder()
                .threads(random.nextInt(2, 17))
                .handler(TopicPattern.of("*/*"), delivery -> {
                    Object lane = HandlerTask.Lane.of(delivery.message());
                    if (!running.add(lane)) {
                        overlaps.add(lane.toString());
                    }
                    LockSupport.parkNanos(1_000);
                    handled.add(delivery);
                    running.remove(lane);
                    if (delivery.seq() % 7 == 0) {
                        throw new IllegalStateException("one in seven");
                    }
                })
                .build());
        Map<Object, List<Long>> sent = new HashMap<>();
        for (int wave = 0; wave < 60; wave++) {
            List<ClaimedMessage> messages = new ArrayList<>();
            for (int size = random.nextInt(1, 60); size > 0; size--) {
                ClaimedMessage claimed = randomMessage(random);
                messages.add(claimed);
                sent.computeIfAbsent(HandlerTask.Lane.of(claimed.message()), l -> new ArrayList<>())
                        .add(claimed.seq());
            }
            publisher.publish(messages, answers);
        }

        int total = sent.values().stream().mapToInt(List::size).sum();
        await(() -> answers.count() == total);
        assertThat(overlaps).isEmpty();
        Map<Object, List<Long>> seen = new HashMap<>();
        handled.forEach(
                delivery -> seen.computeIfAbsent(HandlerTask.Lane.of(delivery.message()), l -> new ArrayList<>())
                        .add(delivery.seq()));
        assertThat(seen).isEqualTo(sent);
    }

    private static ClaimedMessage randomMessage(SplittableRandom random) {
        OutboxMessage.Builder message =
                OutboxMessage.to("topic-" + random.nextInt(2), "Happened").namespace("namespace-" + random.nextInt(2));
        int key = random.nextInt(12);
        return Answers.claimed(
                key == 0 ? message.build() : message.key("key-" + key).build());
    }

    @Test
    @Tag("B1")
    void aMessageSentAgainWhileItsHandlerRunsWaitsForItAndRunsToo() {
        HandlerPublisher publisher =
                use(builder().handler("orders", this::hangOnFirstAttempt).build());
        ClaimedMessage first = keyed("42");
        ClaimedMessage second = Answers.again(first);
        ClaimedMessage other = Answers.again(keyed("43"));

        publisher.publish(List.of(first), answers);
        awaitHandled(1);
        publisher.publish(List.of(second, other), answers);

        assertThat(answers.awaitFor(other)).as("another key does not wait").isEqualTo(PublishResult.acked());
        assertThat(answers.of(second)).isEmpty();
        release.countDown();
        assertThat(answers.awaitFor(first)).isEqualTo(PublishResult.acked());
        assertThat(answers.awaitFor(second)).isEqualTo(PublishResult.acked());
    }

    @Test
    void aMessageWithoutAKeyNeverRunsTwiceAtTheSameTime() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        HandlerPublisher publisher = use(builder()
                .handler("orders", delivery -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    handled.add(delivery);
                    if (delivery.attempt() == 1) {
                        release.await();
                    }
                    running.decrementAndGet();
                })
                .build());
        ClaimedMessage first = keyless();
        ClaimedMessage second = Answers.again(first);

        publisher.publish(List.of(first), answers);
        awaitHandled(1);
        publisher.publish(List.of(second), answers);
        release.countDown();

        answers.awaitFor(first);
        answers.awaitFor(second);
        assertThat(most).hasValue(1);
    }

    @Test
    void messagesWithoutAKeyRunAtTheSameTime() {
        CyclicBarrier together = new CyclicBarrier(4);
        HandlerPublisher publisher = use(builder()
                .threads(4)
                .handler("orders", delivery -> together.await(Answers.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .build());
        List<ClaimedMessage> wave = List.of(keyless(), keyless(), keyless(), keyless());

        publisher.publish(wave, answers);

        assertThat(wave).allSatisfy(each -> assertThat(answers.awaitFor(each)).isEqualTo(PublishResult.acked()));
    }

    @Test
    void aKeyThatLooksLikeAnIdIsNotTakenForOne() {
        UUID id = UUID.fromString("018f0000-0000-7000-8000-000000000000");
        OutboxMessage keyless = OutboxMessage.to("orders", "Placed").id(id).build();
        OutboxMessage keyed =
                OutboxMessage.to("orders", "Placed").key(id.toString()).build();

        assertThat(HandlerTask.Lane.of(keyless)).isNotEqualTo(HandlerTask.Lane.of(keyed));
        assertThat(HandlerTask.Lane.of(keyed).topic()).isEqualTo(new TopicName("default", "orders"));
    }

    @Test
    void whatWaitsTooLongBehindItsKeyFailsAndIsNotRunLater() {
        HandlerPublisher publisher = use(builder()
                .maxWait(Duration.ofSeconds(1))
                .handler("orders", this::hangOnFirstAttempt)
                .build());
        ClaimedMessage first = keyed("42");
        ClaimedMessage second = Answers.again(first);

        publisher.publish(List.of(first), answers);
        awaitHandled(1);
        publisher.publish(List.of(second), answers);

        assertThat(answers.awaitFor(second).kind()).isEqualTo(Kind.FAILED);
        assertThat(answers.awaitFor(second).error()).contains("whose handler still runs");
        release.countDown();
        assertThat(answers.awaitFor(first)).isEqualTo(PublishResult.acked());
        ClaimedMessage last = publishUntilAcked(publisher, second);
        assertThat(handled).extracting(Delivery::attempt).containsExactly(1, last.attempt());
    }

    @Test
    void aLaneThatNoThreadIsFreeForGoesBackAsAWhole() {
        HandlerPublisher publisher = use(builder()
                .threads(1)
                .maxWait(Duration.ofSeconds(1))
                .handler("orders", this::hangOnFirstAttempt)
                .build());
        List<ClaimedMessage> lane = List.of(keyed("43"), keyed("43"), keyed("43"));

        publisher.publish(List.of(keyed("42")), answers);
        awaitHandled(1);
        publisher.publish(lane, answers);

        assertThat(lane).allSatisfy(each -> assertThat(answers.awaitKind(each)).isEqualTo(Kind.UNAVAILABLE));
        release.countDown();
        publishUntilAcked(publisher, lane.get(0));
        assertThat(handled).as("what went back did not run").hasSize(2);
    }

    private void hangOnFirstAttempt(Delivery delivery) throws InterruptedException {
        handled.add(delivery);
        if (delivery.attempt() == 1) {
            release.await();
        }
    }

    /** Tries again for as long as a slow machine lets the wait run out, and returns the claim that was acked. */
    private ClaimedMessage publishUntilAcked(HandlerPublisher publisher, ClaimedMessage failed) {
        ClaimedMessage next = Answers.again(failed);
        publisher.publish(List.of(next), answers);
        return answers.awaitKind(next) == Kind.ACKED ? next : publishUntilAcked(publisher, next);
    }

    private void awaitHandled(int count) {
        await(() -> handled.size() >= count);
    }

    private static HandlerPublisher.Builder builder() {
        return HandlerPublisher.builder().maxWait(Duration.ofMinutes(1));
    }

    private HandlerPublisher use(HandlerPublisher publisher) {
        open = publisher;
        return publisher;
    }

    private static ClaimedMessage keyed(String key) {
        return Answers.claimed(OutboxMessage.to("orders", "Placed").key(key).build());
    }

    private static ClaimedMessage keyless() {
        return Answers.claimed(OutboxMessage.to("orders", "Placed").build());
    }
}
