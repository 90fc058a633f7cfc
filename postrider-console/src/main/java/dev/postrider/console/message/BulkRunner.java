package dev.postrider.console.message;

import dev.postrider.OutboxException;
import dev.postrider.admin.BulkActions;
import dev.postrider.admin.BulkOptions;
import dev.postrider.admin.BulkProgress;
import dev.postrider.console.route.ProblemCode;
import dev.postrider.console.route.RouteProblem;
import dev.postrider.thread.WorkerPool;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs bulk actions in the background: two at a time, a bounded number waits. Thread-safe. */
public final class BulkRunner implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(BulkRunner.class);
    private static final int THREADS = 2;
    private static final int MOST_WAITING = 20;
    private static final Duration FIRST_BATCH = Duration.ofSeconds(2);

    private final WorkerPool pool = new WorkerPool("console-bulk", THREADS, Duration.ofSeconds(30));
    private final Set<UUID> running = ConcurrentHashMap.newKeySet();

    /**
     * Begins to run an action. Waits a short while for its first batch, so that an action that cannot be run says so to
     * its caller.
     */
    void run(BulkActions actions, UUID id, BulkOptions options) {
        if (!running.add(id)) {
            throw RouteProblem.conflict("Bulk action %s runs already".formatted(id), "Wait for it, or pause it.");
        }
        if (pool.getQueue().size() >= MOST_WAITING) {
            running.remove(id);
            throw new RouteProblem(
                    ProblemCode.TOO_MANY,
                    "%d bulk actions wait for their turn".formatted(MOST_WAITING),
                    "Try again when one has ended.");
        }
        CompletableFuture<BulkProgress> begun = new CompletableFuture<>();
        pool.execute(() -> work(actions, id, options, begun));
        await(begun);
    }

    private void work(BulkActions actions, UUID id, BulkOptions options, CompletableFuture<BulkProgress> begun) {
        try {
            begun.complete(actions.run(id, options.withListener(begun::complete)));
        } catch (RuntimeException e) {
            // The caller is told if it still waits; the row keeps how far the action got.
            if (!begun.completeExceptionally(e)) {
                log.warn("Bulk action {} ended early; it can be run again", id, e);
            }
        } finally {
            running.remove(id);
        }
    }

    private static void await(CompletableFuture<BulkProgress> begun) {
        try {
            begun.get(FIRST_BATCH.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            log.debug("The first batch takes its time; the action goes on");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new OutboxException("Could not run a bulk action", e);
        }
    }

    /** Interrupts what runs: it ends after its batch and can be run again from any process. */
    @Override
    public void close() {
        pool.shutdownNow();
    }
}
