package dev.postrider.publish;

import static dev.postrider.publish.Answers.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HandlerCloseTest {

    private final Answers answers = new Answers();
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();

    @Test
    void handlersThatRunMayFinishAndWhatWaitsGoesBack() {
        HandlerPublisher publisher = publisher(Duration.ofMinutes(1), this::hang);
        List<ClaimedMessage> wave =
                IntStream.range(0, 5).mapToObj(i -> message("key-" + i)).toList();
        publisher.publish(wave, answers);
        await(() -> begun.get() == 2);

        CompletableFuture<Void> closing = CompletableFuture.runAsync(publisher::close);

        await(() -> answers.count() == 3);
        assertThat(wave.subList(2, 5))
                .allSatisfy(each -> assertThat(answers.awaitKind(each)).isEqualTo(Kind.UNAVAILABLE));
        assertThat(closing).isNotDone();
        release.countDown();
        closing.orTimeout(Answers.PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(wave.subList(0, 2))
                .allSatisfy(each -> assertThat(answers.awaitFor(each)).isEqualTo(PublishResult.acked()));
        assertThat(begun).hasValue(2);
    }

    @Test
    void anInterruptedHandlerIsNotToBlame() {
        AtomicBoolean interrupted = new AtomicBoolean();
        HandlerPublisher publisher = publisher(Duration.ZERO, delivery -> {
            try {
                hang(delivery);
            } catch (InterruptedException e) {
                interrupted.set(true);
                throw e;
            }
        });
        ClaimedMessage message = message("42");
        publishAndAwaitBegin(publisher, message);

        publisher.close();

        await(interrupted::get);
        assertThat(answers.awaitFor(message).kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(answers.awaitFor(message).error()).contains("closed while the handler ran");
    }

    @Test
    void interruptedCloseDoesNotWaitForHandlersAndKeepsTheInterrupt() {
        HandlerPublisher publisher = publisher(Duration.ofHours(1), this::hang);
        ClaimedMessage message = message("42");
        publishAndAwaitBegin(publisher, message);
        Thread.currentThread().interrupt();

        publisher.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(answers.awaitKind(message)).isEqualTo(Kind.UNAVAILABLE);
    }

    @Test
    void norIsOneWhoseInterruptCameInDisguise() {
        HandlerPublisher publisher = publisher(Duration.ZERO, delivery -> {
            try {
                hang(delivery);
            } catch (InterruptedException e) {
                throw new ClosedByInterruptException();
            }
        });
        ClaimedMessage message = message("42");
        publishAndAwaitBegin(publisher, message);

        publisher.close();

        assertThat(answers.awaitKind(message)).isEqualTo(Kind.UNAVAILABLE);
    }

    @Test
    void aHandlerThatHearsNoInterruptIsAnsweredForOnce() {
        CountDownLatch ended = new CountDownLatch(1);
        HandlerPublisher publisher = publisher(Duration.ZERO, delivery -> {
            begun.incrementAndGet();
            awaitWhateverHappens();
            ended.countDown();
        });
        ClaimedMessage message = message("42");
        publishAndAwaitBegin(publisher, message);

        publisher.close();

        assertThat(answers.awaitKind(message)).isEqualTo(Kind.UNAVAILABLE);
        release.countDown();
        await(() -> ended.getCount() == 0);
        assertThat(answers.count()).isEqualTo(1);
    }

    @Test
    void afterTheCloseEverythingIsUnavailable() {
        HandlerPublisher publisher = publisher(Duration.ZERO, this::hang);
        publisher.close();
        ClaimedMessage late = message("42");

        publisher.publish(List.of(late), answers);

        assertThat(answers.awaitFor(late)).isEqualTo(PublishResult.unavailable("The publisher is closed"));
        assertThat(begun).hasValue(0);
    }

    @Test
    void everyMessageIsAnsweredOnceHoweverPublishAndCloseMeet() throws Exception {
        for (int round = 0; round < 50; round++) {
            Answers all = new Answers();
            HandlerPublisher publisher = publisher(Duration.ofSeconds(10), delivery -> LockSupport.parkNanos(1_000));
            List<ClaimedMessage> wave = IntStream.range(0, 100)
                    .mapToObj(i -> message("key-" + i % 10))
                    .toList();

            CompletableFuture<Void> publishing = CompletableFuture.runAsync(() -> publisher.publish(wave, all));
            publisher.close();
            publishing.get(Answers.PATIENCE.toSeconds(), TimeUnit.SECONDS);

            assertThat(wave).allSatisfy(each -> assertThat(all.awaitKind(each)).isIn(Kind.ACKED, Kind.UNAVAILABLE));
        }
    }

    @Test
    void noThreadIsLeft() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        HandlerPublisher publisher = HandlerPublisher.of("left/behind", delivery -> {});
        ClaimedMessage message = Answers.claimed(
                OutboxMessage.to("behind", "Placed").namespace("left").build());
        publisher.publish(List.of(message), answers);
        answers.awaitFor(message);

        publisher.close();

        await(() -> Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .noneMatch(thread -> thread.getName().startsWith("outbox-handler")));
    }

    private void hang(Delivery delivery) throws InterruptedException {
        begun.incrementAndGet();
        release.await();
    }

    private void awaitWhateverHappens() {
        boolean released = false;
        while (!released) {
            try {
                released = release.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                // This is the handler that does not listen.
                released = false;
            }
        }
    }

    private void publishAndAwaitBegin(HandlerPublisher publisher, ClaimedMessage message) {
        publisher.publish(List.of(message), answers);
        await(() -> begun.get() == 1);
    }

    private static HandlerPublisher publisher(Duration closeTimeout, MessageHandler handler) {
        return HandlerPublisher.builder()
                .threads(2)
                .maxWait(Duration.ofMinutes(1))
                .closeTimeout(closeTimeout)
                .handler("orders", handler)
                .build();
    }

    private static ClaimedMessage message(String key) {
        return Answers.claimed(OutboxMessage.to("orders", "Placed").key(key).build());
    }
}
