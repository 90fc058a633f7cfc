package dev.postrider.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void workerWhoseTaskThrowsIsReplacedAndCounted() {
        WorkerPool pool = new WorkerPool("test", 1, PATIENCE);

        pool.execute(() -> {
            // What is thrown on would otherwise end the JVM of the tests.
            Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
            throw new OutOfMemoryError("pretended");
        });
        pool.execute(runs::incrementAndGet);

        await().atMost(PATIENCE).until(() -> runs.get() == 1);
        assertThat(pool.restarts()).isEqualTo(1);
        pool.shutdown();
    }

    @Test
    void periodicTaskThatThrowsRunsAgainAndIsCounted() {
        TimerThread timer = new TimerThread("test");

        var unused = timer.scheduleWithFixedDelay(
                () -> {
                    if (runs.incrementAndGet() < 3) {
                        throw new StackOverflowError();
                    }
                },
                1,
                1,
                TimeUnit.MILLISECONDS);

        await().atMost(PATIENCE).until(() -> runs.get() > 3);
        assertThat(timer.restarts()).isEqualTo(2);
        timer.shutdownNow();
    }
}
