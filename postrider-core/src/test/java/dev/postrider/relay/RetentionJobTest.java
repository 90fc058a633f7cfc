package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postrider.admin.Retention;
import dev.postrider.admin.RetentionStep;
import dev.postrider.admin.RetentionStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R3.6")
final class RetentionJobTest {

    private static final RetentionStep MORE = new RetentionStep(3, 0, 0, 0, 0, false);
    private static final RetentionStep LAST = new RetentionStep(1, 2, 0, 0, 0, true);

    /** Answers with the given steps, then with nothing, and remembers what it was asked. */
    private static final class FakeStore implements RetentionStore {

        private final List<RetentionStep> steps;
        private final List<Integer> limits = new CopyOnWriteArrayList<>();
        private final CountDownLatch calls;
        private final int failures;

        FakeStore(int expectedCalls, int failures, RetentionStep... steps) {
            this.calls = new CountDownLatch(expectedCalls);
            this.failures = failures;
            this.steps = List.of(steps);
        }

        @Override
        public RetentionStep step(Retention policy, int limit) {
            limits.add(limit);
            int call = limits.size() - 1;
            try {
                if (call < failures) {
                    throw new IllegalStateException("The database is away");
                }
                return call - failures < steps.size() ? steps.get(call - failures) : RetentionStep.nothing();
            } finally {
                calls.countDown();
            }
        }

        void awaitCalls() throws InterruptedException {
            assertThat(calls.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void aRunGoesOnUntilAStepWasTheLastAndTheNextOneComesLater() throws InterruptedException {
        FakeStore store = new FakeStore(3, 0, MORE, MORE, LAST);

        RetentionJob job = job(store, Duration.ofHours(1)).start();
        store.awaitCalls();
        job.close();

        assertThat(job.total().delivered()).isEqualTo(7);
        assertThat(job.total().removed()).isEqualTo(9);
        assertThat(store.limits).containsExactly(5, 5, 5);
    }

    @Test
    void aDatabaseThatIsAwayDoesNotEndTheJob() throws InterruptedException {
        FakeStore store = new FakeStore(5, 2, LAST);

        try (RetentionJob job = job(store, Duration.ofMillis(1)).start()) {
            store.awaitCalls();

            assertThat(job.total().removed()).isEqualTo(3);
        }
    }

    @Test
    void errorOfTheStoreIsCountedAndDoesNotEndTheJob() {
        AtomicInteger calls = new AtomicInteger();
        RetentionStore store = (policy, limit) -> {
            if (calls.incrementAndGet() == 1) {
                throw new OutOfMemoryError("pretended");
            }
            return LAST;
        };

        try (RetentionJob job = job(store, Duration.ofMillis(1)).start()) {
            await().atMost(Duration.ofMinutes(2)).until(() -> job.total().removed() > 0);

            assertThat(job.restarts()).isEqualTo(1);
        }
    }

    @Test
    void aClosedJobAsksForNothingMore() throws InterruptedException {
        FakeStore store = new FakeStore(2, 0, LAST);
        RetentionJob job = job(store, Duration.ofMillis(1)).start();
        store.awaitCalls();

        job.close();
        int asked = store.limits.size();

        assertThatThrownBy(job::start).isInstanceOf(IllegalStateException.class);
        assertThat(store.limits).hasSize(asked);
    }

    @Test
    void settingsThatCannotWorkAreRefusedByName() {
        RetentionJob.Builder builder = RetentionJob.builder(new FakeStore(0, 0));

        assertThatThrownBy(() -> builder.batchSize(0))
                .hasMessageContaining("batchSize")
                .hasMessageContaining("0");
        assertThatThrownBy(() -> builder.pause(Duration.ofMillis(-1))).hasMessageContaining("pause");
        assertThatThrownBy(() -> builder.interval(Duration.ZERO, Duration.ofHours(1)))
                .hasMessageContaining("afterWork");
        assertThatThrownBy(() -> builder.interval(Duration.ofHours(2), Duration.ofHours(1)))
                .hasMessageContaining("shorter");
        assertThatThrownBy(() -> Retention.defaults().withAudit(Duration.ofDays(-1)))
                .hasMessageContaining("audit must not be negative");
    }

    private static RetentionJob job(RetentionStore store, Duration interval) {
        return RetentionJob.builder(store)
                .policy(Retention.defaults())
                .batchSize(5)
                .pause(Duration.ZERO)
                .interval(interval, interval)
                .build();
    }
}
