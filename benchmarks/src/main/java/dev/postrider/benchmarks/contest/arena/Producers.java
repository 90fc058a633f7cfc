package dev.postrider.benchmarks.contest.arena;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Commits transactions at a fixed rate, one order and one message in each. */
public final class Producers {

    private static final Cargo CARGO = new Cargo(1_000);
    private static final int PER_THREAD = 250;

    private final Committing committing;
    private final int rate;
    private final int threads;

    /** Runs a transaction and returns after its commit. */
    @FunctionalInterface
    public interface Committing {

        void transaction(Contender.Work work) throws Exception;
    }

    public Producers(Committing committing, int rate) {
        this(committing, rate, Math.max(1, rate / PER_THREAD));
    }

    public Producers(Committing committing, int rate, int threads) {
        this.committing = committing;
        this.rate = rate;
        this.threads = threads;
    }

    /** Commits messages 0 to {@code messages - 1} and returns when each commit had returned. */
    public long[] produce(int messages) throws Exception {
        long[] commits = new long[messages];
        long start = System.nanoTime();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int first = thread;
                all.add(pool.submit(() -> {
                    for (int number = first; number < messages; number += threads) {
                        commit(number, start, commits);
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            pool.shutdownNow();
        }
        return commits;
    }

    private void commit(int number, long start, long[] commits) throws Exception {
        long due = start + TimeUnit.SECONDS.toNanos(1) * number / rate;
        long wait = due - System.nanoTime();
        if (wait > 0) {
            LockSupport.parkNanos(wait);
        }
        committing.transaction(transaction -> {
            transaction.order(number);
            transaction.enqueue(number, CARGO.key(number), Cargo.payload(number));
        });
        commits[number] = System.nanoTime();
    }
}
