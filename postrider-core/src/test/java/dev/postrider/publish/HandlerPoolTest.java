package dev.postrider.publish;

import static dev.postrider.publish.Answers.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.PublishResult.Kind;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a message has waited or run for too long, in a time of its own. */
class HandlerPoolTest {

    private static final Duration MAX_WAIT = Duration.ofSeconds(5);
    private static final Duration SLOW = Duration.ofSeconds(10);

    private final AtomicLong nanos = new AtomicLong(-TimeUnit.HOURS.toNanos(1));
    private final Answers answers = new Answers();
    private final CountDownLatch release = new CountDownLatch(1);
    private final ConcurrentLinkedQueue<Delivery> begun = new ConcurrentLinkedQueue<>();
    private final HandlerPool pool = new HandlerPool(TopicPattern.of("orders"), this::hang, settings(), nanos::get);

    @AfterEach
    void stop() {
        release.countDown();
        pool.stop();
    }

    @Test
    void laneGoesBackWhenNoThreadWasFreeForLongerThanTheLongestWait() {
        ClaimedMessage first = message("a");
        ClaimedMessage second = message("b");
        ClaimedMessage third = message("b");
        begin(first);
        pool.accept(second, answers);
        pass(Duration.ofNanos(1));
        pool.accept(third, answers);

        pass(MAX_WAIT.minusNanos(1));
        pool.inspect();
        assertThat(answers.count()).isZero();
        pass(Duration.ofNanos(1));
        pool.inspect();

        assertThat(answers.awaitKind(second)).isEqualTo(Kind.UNAVAILABLE);
        assertThat(answers.awaitKind(third)).isEqualTo(Kind.UNAVAILABLE);
        assertThat(answers.of(first)).isEmpty();
    }

    @Test
    void messageFailsWhenItsKeyWasHeldForLongerThanTheLongestWait() {
        ClaimedMessage first = message("a");
        ClaimedMessage second = message("a");
        ClaimedMessage third = message("a");
        begin(first);
        pool.accept(second, answers);
        pass(Duration.ofNanos(1));
        pool.accept(third, answers);

        pass(MAX_WAIT.minusNanos(1));
        pool.inspect();
        assertThat(answers.count()).isZero();
        pass(Duration.ofNanos(1));
        pool.inspect();

        assertThat(answers.awaitKind(second)).isEqualTo(Kind.FAILED);
        assertThat(answers.of(third)).as("it came later").isEmpty();
        assertThat(answers.of(first)).as("its handler runs").isEmpty();
    }

    @Test
    void handlerIsSlowFromItsTimeOnAndReportedOnce() {
        ClaimedMessage message = message("a");
        begin(message);
        pool.accept(message("b"), answers);

        pass(SLOW);
        assertThat(pool.slow()).isZero();
        assertThat(pool.newlySlow()).isEmpty();
        pass(Duration.ofNanos(1));

        assertThat(pool.slow()).as("the other waits for a thread").isEqualTo(1);
        assertThat(pool.newlySlow())
                .singleElement()
                .satisfies(task -> assertThat(task.delivery.message()).isEqualTo(message.message()));
        assertThat(pool.newlySlow()).isEmpty();
        assertThat(pool.slow()).isEqualTo(1);
    }

    @Test
    void taskThatAThreadTookAfterItWasGivenBackDoesNotRun() {
        ClaimedMessage message = message("a");

        pool.run(new HandlerTask(message, answers, pool, nanos.get()));

        assertThat(begun).isEmpty();
        assertThat(answers.count()).isZero();
    }

    @Test
    void handlerThatEndsAfterTheStopLeavesTheOthersOfItsKeyAlone() throws InterruptedException {
        ClaimedMessage first = message("a");
        ClaimedMessage second = message("a");
        begin(first);
        pool.accept(second, answers);

        pool.stop();
        release.countDown();
        pool.await(System.nanoTime() + Answers.PATIENCE.toNanos());

        assertThat(answers.awaitFor(first)).isEqualTo(PublishResult.acked());
        assertThat(answers.awaitKind(second)).isEqualTo(Kind.UNAVAILABLE);
        assertThat(begun).hasSize(1);
        assertThat(pool.restarts()).as("errors of its threads").isZero();
    }

    @Test
    void handlersAreInspectedFiveTimesWithinTheShorterTimeLimit() {
        assertThat(pause(Duration.ofSeconds(2), Duration.ofSeconds(3))).isEqualTo(Duration.ofMillis(400));
        assertThat(pause(Duration.ofSeconds(3), Duration.ofSeconds(2))).isEqualTo(Duration.ofMillis(400));
        assertThat(pause(Duration.ofMinutes(1), Duration.ofHours(1))).isEqualTo(Duration.ofSeconds(1));
        assertThat(pause(Duration.ofNanos(1), Duration.ofHours(1))).isEqualTo(Duration.ofMillis(1));
    }

    private static Duration pause(Duration maxWait, Duration slowAfter) {
        return new HandlerSettings(
                        1, maxWait, slowAfter, Duration.ZERO, settings().verdict())
                .pause();
    }

    private void begin(ClaimedMessage message) {
        pool.accept(message, answers);
        await(() -> begun.size() == 1);
    }

    private void hang(Delivery delivery) throws InterruptedException {
        begun.add(delivery);
        release.await();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static HandlerSettings settings() {
        HandlerVerdict verdict = new HandlerVerdict(exception -> false, exception -> false, true);
        return new HandlerSettings(1, MAX_WAIT, SLOW, Duration.ZERO, verdict);
    }

    private static ClaimedMessage message(String key) {
        return Answers.claimed(OutboxMessage.to("orders", "Placed").key(key).build());
    }
}
