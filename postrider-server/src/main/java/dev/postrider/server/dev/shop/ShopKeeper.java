package dev.postrider.server.dev.shop;

import dev.postrider.admin.OutboxStats;
import dev.postrider.admin.Page;
import dev.postrider.all.Postrider;
import dev.postrider.saga.SagaFilter;
import dev.postrider.saga.SagaStatus;
import dev.postrider.thread.SupervisedThread;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the demo shop within its bounds: holds customers back while the backlog is long, sends a poison message now and
 * then, stops making trouble that no one clears up, and removes old orders. Thread-safe.
 */
final class ShopKeeper implements AutoCloseable {

    /** Customers wait while more messages than this are not delivered. */
    static final long LONGEST_BACKLOG = 50_000;

    private static final Duration TURN = Duration.ofSeconds(2);
    private static final Duration STOP = Duration.ofSeconds(5);
    private static final int FIRST_POISON = 3;
    private static final int POISON_EVERY = 25;
    private static final int TRIM_EVERY = 15;
    private static final int MOST_DEAD = 30;
    private static final int MOST_STUCK = 5;
    private static final int MOST_PARKED = 10;

    private final Postrider postrider;
    private final ShopTraffic traffic;
    private final ShopRules rules;
    private final ShopCounts counts;
    private final ShopTables tables;
    private final Duration keep;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final SupervisedThread thread = new SupervisedThread("demo-keeper", this::loop);
    private volatile boolean poisonous = true;
    private long enqueuedAtLastCount;

    ShopKeeper(
            Postrider postrider,
            ShopTraffic traffic,
            ShopRules rules,
            ShopCounts counts,
            ShopTables tables,
            Duration keep) {
        this.postrider = postrider;
        this.traffic = traffic;
        this.rules = rules;
        this.counts = counts;
        this.tables = tables;
        this.keep = keep;
    }

    void start() {
        thread.start();
    }

    boolean poisonous() {
        return poisonous;
    }

    void poisonous(boolean value) {
        poisonous = value;
    }

    private void loop() throws InterruptedException {
        for (int turn = 1; !stopping.await(TURN.toMillis(), TimeUnit.MILLISECONDS); turn++) {
            OutboxStats stats = postrider.admin().stats();
            traffic.hold(backlog(stats) >= LONGEST_BACKLOG);
            rules.allow(stuck() < MOST_STUCK, parked() < MOST_PARKED);
            if (turn % POISON_EVERY == FIRST_POISON && poisonous && stats.dead() < MOST_DEAD) {
                traffic.poison();
            }
            if (turn % TRIM_EVERY == 0) {
                tables.trim(Sale.firstIdAt(Instant.now().minus(keep)));
            }
        }
    }

    // The count stops at its cap. From there on, everything that was enqueued meanwhile is taken to be waiting.
    private long backlog(OutboxStats stats) {
        long known = stats.pending() + stats.waiting();
        if (known < stats.cap()) {
            enqueuedAtLastCount = counts.enqueued.get();
        }
        return known + counts.enqueued.get() - enqueuedAtLastCount;
    }

    private int stuck() {
        SagaFilter filter = SagaFilter.all().withDefinition(Checkout.NAME).withStatus(SagaStatus.STUCK);
        return postrider
                .sagaAdmin()
                .list(filter, Page.newest(MOST_STUCK))
                .items()
                .size();
    }

    private int parked() {
        return postrider
                .inboxAdmin()
                .parked(ShopConsumers.MAILER, 0, MOST_PARKED)
                .size();
    }

    @Override
    public void close() {
        stopping.countDown();
        if (!thread.end(STOP)) {
            thread.interrupt();
        }
    }
}
