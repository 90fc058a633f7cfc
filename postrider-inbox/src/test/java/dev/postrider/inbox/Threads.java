package dev.postrider.inbox;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads of a test, with a limit for every wait. */
final class Threads implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 120;

    private final ExecutorService executor = Executors.newCachedThreadPool();

    <T> Future<T> start(Callable<T> work) {
        return executor.submit(work);
    }

    static <T> T result(Future<T> future) throws Exception {
        return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    static void await(CountDownLatch latch) {
        try {
            if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Waited too long");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
