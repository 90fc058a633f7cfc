package dev.postrider.benchmarks.contest.arena;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Does nothing with a message, or waits for a moment as a handler that does some work would. */
final class NoopSink implements Sink {

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final Arrivals arrivals = new Arrivals();
    private final Duration work;

    NoopSink(Duration work) {
        this.work = work;
    }

    @Override
    public Arrivals arrivals() {
        return arrivals;
    }

    @Override
    public void take(String key, byte[] payload) {
        if (!work.isZero()) {
            LockSupport.parkNanos(work.toNanos());
        }
        arrivals.arrived(Cargo.number(payload));
    }

    @Override
    public CompletableFuture<Void> send(String key, byte[] payload) {
        take(key, payload);
        return DONE;
    }

    @Override
    public void close() {}
}
