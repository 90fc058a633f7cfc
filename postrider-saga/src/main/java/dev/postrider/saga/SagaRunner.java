package dev.postrider.saga;

import dev.postrider.thread.SupervisedThread;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Claims sagas that are due and takes each as far as it goes. Thread-safe. */
final class SagaRunner implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SagaRunner.class);
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final Duration PAUSE_AFTER_ERROR = Duration.ofSeconds(1);

    private final Workbench bench;
    private final Map<SagaVersion, Blueprint<?>> blueprints;
    private final RunnerSettings settings;
    private final Map<ClaimedSaga, Boolean> held = new ConcurrentHashMap<>();
    private final Semaphore signal = new Semaphore(0);
    private final List<SupervisedThread> threads = new CopyOnWriteArrayList<>();
    private final List<SupervisedThread> keepers = new CopyOnWriteArrayList<>();
    private final AtomicLong ended = new AtomicLong();
    private volatile @Nullable Stop stop;
    private Stop keepersStop = Stop.ofRunner();

    SagaRunner(Workbench bench, Map<SagaVersion, Blueprint<?>> blueprints, RunnerSettings settings) {
        this.bench = bench;
        this.blueprints = blueprints;
        this.settings = settings;
    }

    /** Claims what is due now and runs it on the calling thread; returns how many sagas that were. */
    int turn() {
        return turn(Stop.ofCaller());
    }

    private int turn(Stop turnStop) {
        List<ClaimedSaga> claimed =
                bench.store().claim(blueprints.keySet(), settings.batch(), settings.claimFor(), settings.name());
        claimed.forEach(each -> held.put(each, true));
        try {
            for (ClaimedSaga each : claimed) {
                run(each, turnStop);
            }
        } finally {
            claimed.stream().filter(each -> held.remove(each) != null).forEach(this::release);
        }
        return claimed.size();
    }

    private void run(ClaimedSaga claimed, Stop turnStop) {
        DurableRun<?> run = new DurableRun<>(bench, blueprintOf(claimed), claimed, settings.claimFor(), turnStop);
        boolean more = true;
        try {
            while (more && held.containsKey(claimed) && !turnStop.requested()) {
                more = proceed(run, turnStop);
            }
        } catch (RuntimeException e) {
            // Its claim ends by itself: somebody tries again, and gives up if that goes on without progress.
            log.warn("Could not take saga {} of {} further", claimed.id(), claimed.definition(), e);
        } finally {
            boolean stopped = more && turnStop.requested();
            if (!stopped) {
                held.remove(claimed);
            }
        }
    }

    // A step may leave an interrupt of its own behind, which must not reach the next one.
    private static boolean proceed(DurableRun<?> run, Stop turnStop) {
        try {
            return run.proceed();
        } finally {
            turnStop.forgetStrayInterrupt();
        }
    }

    // Sagas are left over after a stop, or after an Error in another one; the next engine goes on with them at once.
    private void release(ClaimedSaga unused) {
        try {
            Uninterrupted.run(() -> bench.store().release(unused.id(), unused.epoch()));
        } catch (RuntimeException e) {
            log.debug("Could not release the claim on saga {}; it ends by itself", unused.id(), e);
        }
    }

    private Blueprint<?> blueprintOf(ClaimedSaga claimed) {
        Blueprint<?> blueprint = blueprints.get(claimed.definition());
        if (blueprint == null) {
            throw new IllegalStateException("Claimed a saga of " + claimed.definition());
        }
        return blueprint;
    }

    /** Makes the claims on everything under way last; whoever has lost one stops before its next step. */
    void renew() {
        bench.store().renew(held.keySet(), settings.claimFor()).forEach(held::remove);
    }

    /** Says that something may be due. */
    void wake() {
        if (stop != null) {
            signal.release();
        }
    }

    synchronized void start() {
        if (stop != null) {
            return;
        }
        Stop started = Stop.ofRunner();
        stop = started;
        for (int i = 1; i <= settings.threads(); i++) {
            threads.add(launch("saga-runner-" + i, () -> work(started)));
        }
        Stop keeping = Stop.ofRunner();
        keepersStop = keeping;
        keepers.add(launch("saga-claims", () -> keepClaims(keeping)));
    }

    private static SupervisedThread launch(String name, SupervisedThread.Loop loop) {
        SupervisedThread thread = new SupervisedThread(name, loop);
        thread.start();
        return thread;
    }

    /** Returns how often a thread ended by an error and was started again. */
    long restarts() {
        return ended.get() + restarts(threads) + restarts(keepers);
    }

    private static long restarts(List<SupervisedThread> supervised) {
        return supervised.stream().mapToLong(SupervisedThread::restarts).sum();
    }

    private void work(Stop shift) {
        while (!shift.requested()) {
            Duration pause = Duration.ZERO;
            try {
                if (turn(shift) < settings.batch()) {
                    pause = settings.pollInterval();
                }
            } catch (RuntimeException e) {
                log.warn("Could not run sagas; trying again", e);
                pause = PAUSE_AFTER_ERROR;
            }
            await(pause, shift);
        }
    }

    // Renews first, so that an error does not cost the claims a turn.
    private void keepClaims(Stop keeping) throws InterruptedException {
        while (!keeping.requested()) {
            try {
                renew();
            } catch (RuntimeException e) {
                log.warn("Could not renew the claims on sagas; trying again", e);
            }
            TimeUnit.NANOSECONDS.sleep(settings.claimFor().toNanos() / 3);
        }
    }

    private void await(Duration pause, Stop shift) {
        if (pause.isZero() || shift.requested()) {
            return;
        }
        try {
            if (signal.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                signal.drainPermits();
            }
        } catch (InterruptedException e) {
            log.debug("Interrupted while nothing was due", e);
        }
    }

    /** Lets every step that is under way come to its end, for a while; then interrupts it and gives its saga back. */
    @Override
    public synchronized void close() {
        Stop ending = stop;
        if (ending == null) {
            return;
        }
        stop = null;
        ending.request();
        signal.release(settings.threads());
        try {
            if (!join(settings.patience())) {
                log.warn("Steps of sagas are interrupted, as they last longer than {}", settings.patience());
                ending.interrupt(threads);
                join(GRACE);
            }
        } finally {
            // Claims are renewed as long as steps may be under way.
            keepersStop.interrupt(keepers);
            ended.set(restarts());
            keepers.clear();
            threads.clear();
        }
    }

    /** Returns whether all threads have ended in time. An interrupt of the caller ends the wait. */
    private boolean join(Duration longest) {
        long end = System.nanoTime() + longest.toNanos();
        boolean all = true;
        for (SupervisedThread thread : threads) {
            all &= thread.end(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        }
        return all;
    }
}
