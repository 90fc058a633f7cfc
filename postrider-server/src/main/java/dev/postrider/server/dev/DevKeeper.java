package dev.postrider.server.dev;

import dev.postrider.admin.Retention;
import dev.postrider.all.Postrider;
import dev.postrider.inbox.JdbcInbox;
import dev.postrider.thread.SupervisedThread;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Removes old rows of the demo, so that it may run for days: the faster messages come, the shorter they are kept.
 * Thread-safe.
 */
final class DevKeeper implements AutoCloseable {

    /** How long what has ended is kept at most. */
    static final Duration LONGEST = Duration.ofMinutes(30);

    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final Duration TROUBLE = Duration.ofHours(6);
    private static final Duration TURN = Duration.ofSeconds(15);
    private static final Duration STOP = Duration.ofSeconds(5);
    private static final int MOST_MESSAGES = 60_000;
    private static final int BATCH = 500;
    private static final int MOST_BATCHES = 200;

    private final Postrider postrider;
    private final JdbcInbox inbox;
    private final IntSupplier perSecond;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final SupervisedThread thread = new SupervisedThread("dev-keeper", this::loop);

    DevKeeper(Postrider postrider, JdbcInbox inbox, IntSupplier perSecond) {
        this.postrider = postrider;
        this.inbox = inbox;
        this.perSecond = perSecond;
    }

    void start() {
        thread.start();
    }

    private void loop() throws InterruptedException {
        while (!stopping.await(TURN.toMillis(), TimeUnit.MILLISECONDS)) {
            Duration kept = kept(perSecond.getAsInt());
            Retention policy = new Retention(kept, false, kept, TROUBLE, TROUBLE, TROUBLE);
            repeat(() -> postrider.retention().step(policy, BATCH).ended());
            repeat(() -> inbox.purge(BATCH) < BATCH);
            repeat(() -> postrider.sagaAdmin().purge(kept, BATCH) < BATCH);
        }
    }

    /** Returns how long delivered messages are kept at that rate. */
    static Duration kept(int perSecond) {
        Duration filled = Duration.ofSeconds(MOST_MESSAGES / Math.max(1, perSecond));
        if (filled.compareTo(LONGEST) > 0) {
            return LONGEST;
        }
        return filled.compareTo(SHORTEST) < 0 ? SHORTEST : filled;
    }

    private void repeat(Cleanup step) {
        boolean ended = false;
        for (int batch = 0; !ended && batch < MOST_BATCHES && stopping.getCount() > 0; batch++) {
            ended = step.run();
        }
    }

    /** Removes one batch. */
    @FunctionalInterface
    private interface Cleanup {

        /** Returns whether it was the last one. */
        boolean run();
    }

    @Override
    public void close() {
        stopping.countDown();
        if (!thread.end(STOP)) {
            thread.interrupt();
        }
    }
}
