package dev.postrider.saga;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Claims sagas that are due and takes each as far as it goes. Thread-safe. */
final class SagaRunner implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SagaRunner.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PAUSE_AFTER_ERROR = Duration.ofSeconds(1);

    private final Workbench bench;
    private final Map<SagaVersion, Blueprint<?>> blueprints;
    private final RunnerSettings settings;
    private final Map<ClaimedSaga, Boolean> held = new ConcurrentHashMap<>();
    private final Semaphore signal = new Semaphore(0);
    private final List<Thread> threads = new ArrayList<>();
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
        launch("saga-claims", this::keepClaims);
    }

    private void launch(String name, Runnable loop) {
        Thread thread = new Thread(loop, name);
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
    }

    private void work() {
        while (running) {
            Duration pause = Duration.ZERO;
            try {
                if (turn() < settings.batch()) {
                    pause = settings.pollInterval();
                }
            } catch (RuntimeException | Error e) {
                log.warn("Could not run sagas; trying again", e);
                pause = PAUSE_AFTER_ERROR;
            }
            if (!await(pause)) {
                return;
            }
        }
    }

    private void keepClaims() {
        while (running) {
            try {
                TimeUnit.NANOSECONDS.sleep(settings.claimFor().toNanos() / 3);
                renew();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                log.warn("Could not renew the claims on sagas; trying again", e);
            }
        }
    }

    private boolean await(Duration pause) {
        try {
            if (!pause.isZero() && signal.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                signal.drainPermits();
            }
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Lets every step that is under way come to its end, for a while. */
    @Override
    public synchronized void close() {
        running = false;
        signal.release(settings.threads());
        try {
            for (Thread thread : threads) {
                if (thread.getName().equals("saga-claims")) {
                    thread.interrupt();
                }
                thread.join(PATIENCE.toMillis());
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.clear();
    }
}
