package dev.postrider.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Runs several cases at a time, because the processes of most of them wait. */
final class Abreast {

    private static final int CASES = 4;

    private Abreast() {}

    /** Returns what became of each; the first failure ends it. */
    static <A, B> List<B> map(List<A> all, Function<A, B> work) {
        ExecutorService threads = Executors.newFixedThreadPool(CASES);
        try {
            List<Future<B>> futures = all.stream()
                    .map(each -> threads.submit(() -> work.apply(each)))
                    .toList();
            List<B> results = new ArrayList<>();
            for (Future<B> each : futures) {
                results.add(each.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AssertionError failed) {
                throw failed;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }
}
