package dev.postrider.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SupervisedThreadTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch told = new CountDownLatch(1);

    static List<Throwable> whatMayEndALoop() {
        return List.of(
                new OutOfMemoryError("pretended"),
                new StackOverflowError(),
                new NoClassDefFoundError("com/example/Codec"),
                new IllegalStateException("unexpected"),
                new InterruptedException("by a library"));
    }

    @ParameterizedTest
    @MethodSource("whatMayEndALoop")
    void loopThatThrowsRunsAgainOnItsThreadAndIsCounted(Throwable thrown) {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        SupervisedThread thread = new SupervisedThread("test", () -> {
            threads.add(Thread.currentThread());
            if (runs.incrementAndGet() <= 2) {
                if (thrown instanceof Error error) {
                    throw error;
                }
                throw (Exception) thrown;
            }
            told.await();
        });

        thread.start();

        await().atMost(PATIENCE).until(() -> runs.get() == 3);
        assertThat(thread.isAlive()).isTrue();
        assertThat(thread.restarts()).isEqualTo(2);
        assertThat(threads).containsOnly(threads.get(0));
        told.countDown();
        assertThat(thread.end(PATIENCE)).isTrue();
        assertThat(runs).hasValue(3);
    }

    @Test
    void interruptFromOutsideDoesNotEndTheLoop() {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        SupervisedThread thread = new SupervisedThread("test", () -> {
            threads.add(Thread.currentThread());
            told.await();
        });
        thread.start();
        await().atMost(PATIENCE).until(() -> !threads.isEmpty());

        threads.get(0).interrupt();

        await().atMost(PATIENCE).until(() -> threads.size() == 2);
        assertThat(thread.restarts()).isEqualTo(1);
        thread.interrupt();
        assertThat(thread.end(PATIENCE)).isTrue();
        assertThat(threads).hasSize(2);
    }

    @Test
    void endCutsThePauseShortAndLetsTheLoopRunOnceMore() {
        AtomicBoolean closed = new AtomicBoolean();
        AtomicBoolean drained = new AtomicBoolean();
        SupervisedThread thread = new SupervisedThread("test", () -> {
            runs.incrementAndGet();
            if (!closed.get()) {
                throw new IllegalStateException("always");
            }
            drained.set(true);
        });
        thread.start();
        // Far enough for pauses of seconds.
        await().atMost(PATIENCE).until(() -> thread.restarts() == 6);

        closed.set(true);

        assertThat(thread.end(PATIENCE)).isTrue();
        assertThat(drained).isTrue();
    }

    @Test
    void loopThatThrowsWhileItIsEndedIsNotRunAgain() {
        CountDownLatch running = new CountDownLatch(1);
        SupervisedThread thread = new SupervisedThread("test", () -> {
            runs.incrementAndGet();
            running.countDown();
            told.await();
            throw new OutOfMemoryError("pretended");
        });
        thread.start();
        await().atMost(PATIENCE).until(() -> running.getCount() == 0);
        assertThat(thread.end(Duration.ZERO)).isFalse();

        told.countDown();

        assertThat(thread.end(PATIENCE)).isTrue();
        assertThat(runs).hasValue(1);
        assertThat(thread.restarts()).isZero();
    }

    @Test
    void endKeepsTheInterruptFlagOfItsCaller() {
        SupervisedThread thread = new SupervisedThread("test", told::await);
        thread.start();

        Thread.currentThread().interrupt();
        boolean ended = thread.end(PATIENCE);

        assertThat(ended).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        thread.interrupt();
        assertThat(thread.end(PATIENCE)).isTrue();
    }

    @Test
    void threadThatWasNeverStartedHasEnded() {
        SupervisedThread thread = new SupervisedThread("test", told::await);

        assertThat(thread.isAlive()).isFalse();
        assertThat(thread.end(PATIENCE)).isTrue();
    }
}
