package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoopThreadTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void anErrorInATurnDoesNotEndTheLoop() {
        AtomicInteger turns = new AtomicInteger();
        LoopThread loop = new LoopThread(
                "test",
                () -> {
                    if (turns.incrementAndGet() < 3) {
                        throw new NoClassDefFoundError("missing/Type");
                    }
                    return 1_000_000;
                },
                new Signal(),
                config());

        loop.start();

        await().atMost(PATIENCE).until(() -> turns.get() > 5);
        assertThat(loop.healthy()).isTrue();
        assertThat(loop.restarts()).isEqualTo(2);
        loop.stop();
        loop.join(PATIENCE);
    }

    @Test
    void aFailureIsShownUntilATurnSucceeds() {
        AtomicInteger turns = new AtomicInteger();
        LoopThread loop = new LoopThread(
                "test",
                () -> {
                    turns.incrementAndGet();
                    throw new OutOfMemoryError("pretended");
                },
                new Signal(),
                config());

        loop.start();

        await().atMost(PATIENCE).until(() -> turns.get() > 1);
        assertThat(loop.healthy()).isFalse();
        assertThat(loop.failure()).contains("pretended");
        loop.stop();
        loop.join(PATIENCE);
    }

    @Test
    void interruptFromOutsideDoesNotEndTheLoop() {
        AtomicInteger turns = new AtomicInteger();
        LoopThread loop = new LoopThread(
                "test",
                () -> {
                    turns.incrementAndGet();
                    Thread.currentThread().interrupt();
                    return Duration.ofHours(1).toNanos();
                },
                new Signal(),
                config());

        loop.start();

        await().atMost(PATIENCE).until(() -> turns.get() > 2);
        assertThat(loop.died()).isFalse();
        assertThat(loop.restarts()).isGreaterThanOrEqualTo(2);
        loop.stop();
        loop.join(PATIENCE);
    }

    @Test
    void turnTimeGrowsWhileATurnHangs() {
        Signal hang = new Signal();
        LoopThread loop = new LoopThread(
                "test",
                () -> {
                    hang.await(Duration.ofHours(1).toNanos());
                    return Duration.ofHours(1).toNanos();
                },
                new Signal(),
                config());

        loop.start();

        await().atMost(PATIENCE).until(() -> loop.turnTime().toMillis() > 50);
        assertThat(loop.succeeded()).isFalse();
        hang.raise();
        await().atMost(PATIENCE).until(loop::succeeded);
        await().atMost(PATIENCE).until(() -> loop.turnTime().isZero());
        loop.stop();
    }

    private static RelayConfig config() {
        return new RelayConfig(UnusedStore.relay());
    }
}
