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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Claims sagas that are due and takes each as far as it goes. Thread-safe. */
final class SagaRunner implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SagaRunner.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String CLAIMS = "saga-claims";
    private static final Duration PAUSE_AFTER_ERROR = Duration.ofSeconds(1);

    private final Workbench bench;
    private final Map<SagaVersion, Blueprint<?>> blueprints;
    private final RunnerSettings settings;
    private final Map<ClaimedSaga, Boolean> held = new ConcurrentHashMap<>();
    private final Semaphore signal = new Semaphore(0);
    private final List<SupervisedThread> threads = new CopyOnWriteArrayList<>();
    private final AtomicLong ended = new AtomicLong();
    private volatile boolean running;

    SagaRunner(Workbench bench, Map<SagaVersion, Blueprint<?>> blueprints, RunnerSettings settings) {
        this.bench = bench;
        this.blueprints = blueprints;
        this.settings = settings;
    }

    /** Claims what is due now and runs it on the calling thread; returns how many sagas that were. */
    int turn() {
        List<ClaimedSaga> claimed =
                bench.store().claim(blueprints.keySet(), settings.batch(), settings.claimFor(), settings.name());
        claimed.forEach(each -> held.put(each, true));
        try {
            for (ClaimedSaga each : claimed) {
                run(each);
            }
        } finally {
            claimed.stream().filter(each -> held.remove(each) != null).forEach(this::release);
        }
        return claimed.size();
    }

    private void run(ClaimedSaga claimed) {
        DurableRun<?> run = new DurableRun<>(bench, blueprintOf(claimed), claimed);
        try {
            boolean more = true;
            while (more && held.containsKey(claimed)) {
                more = run.proceed();
            }
        } catch (RuntimeException e) {
            // Its claim ends by itself: somebody tries again, and gives up if that goes on without progress.
            log.warn("Could not take saga {} of {} further", claimed.id(), claimed.definition(), e);
        } finally {
            held.remove(claimed);
        }
    }

    // Only an Error leaves some behind; they are not to blame.
    private void release(ClaimedSaga unused) {
        try {
            bench.store().release(unused.id(), unused.epoch());
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
        held.keySet().removeIf(each -> !bench.store().renew(each.id(), each.epoch(), settings.claimFor()));
    }

    /** Says that something may be due. */
    void wake() {
        if (running) {
            signal.release();
        }
    }

    synchronized void start() {
        if (running) {
            return;
        }
        running = true;
        for (int i = 1; i <= settings.threads(); i++) {
            launch("saga-runner-" + i, this::work);
        }
        launch(CLAIMS, this::keepClaims);
    }

    private void launch(String name, SupervisedThread.Loop loop) {
        SupervisedThread thread = new SupervisedThread(name, loop);
        thread.start();
        threads.add(thread);
    }

    /** Returns how often a thread ended by an error and was started again. */
    long restarts() {
        return ended.get()
                + threads.stream().mapToLong(SupervisedThread::restarts).sum();
    }

    private void work() throws InterruptedException {
        while (running) {
            Duration pause = Duration.ZERO;
            try {
                if (turn() < settings.batch()) {
                    pause = settings.pollInterval();
                }
            } catch (RuntimeException e) {
                log.warn("Could not run sagas; trying again", e);
                pause = PAUSE_AFTER_ERROR;
            }
            if (!pause.isZero() && signal.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                signal.drainPermits();
            }
        }
    }

    // Renews first, so that an error does not cost the claims a turn.
    private void keepClaims() throws InterruptedException {
        while (running) {
            try {
                renew();
            } catch (RuntimeException e) {
                log.warn("Could not renew the claims on sagas; trying again", e);
            }
            TimeUnit.NANOSECONDS.sleep(settings.claimFor().toNanos() / 3);
        }
    }

    /** Lets every step that is under way come to its end, for a while. */
    @Override
    public synchronized void close() {
        running = false;
        signal.release(settings.threads());
        for (SupervisedThread thread : threads) {
            if (thread.name().equals(CLAIMS)) {
                thread.interrupt();
            }
            if (!thread.end(PATIENCE)) {
                thread.interrupt();
            }
        }
        ended.set(restarts());
        threads.clear();
    }
}
