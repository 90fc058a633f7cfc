package dev.postrider.verification.simulator;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Runs histories and reports. See {@code ./verification/run --help}. */
public final class Simulator {

    private static final long PROGRESS_EVERY = 10_000;
    private static final int SHOWN = 20;

    private final Options options;
    private final PrintStream out;
    private final PrintStream progress;

    Simulator(Options options, PrintStream out, PrintStream progress) {
        this.options = options;
        this.out = out;
        this.progress = progress;
    }

    /** Exits with 1 if anything is wrong and with 2 if the command line is. */
    public static void main(String[] arguments) throws InterruptedException {
        Options options;
        try {
            options = Options.of(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println("run: " + e.getMessage());
            System.exit(2);
            return;
        }
        System.exit(new Simulator(options, System.out, System.err).run() ? 0 : 1);
    }

    /** Returns whether all is well. */
    boolean run() throws InterruptedException {
        if (options.help()) {
            out.print(Options.HELP);
            return true;
        }
        if (options.seed().isPresent()) {
            return runSeed(options.seed().getAsLong());
        }
        Mutant only = options.mutant();
        Tally tally = only == null ? runHistories() : new Tally();
        List<Hunt> hunts = hunt(only == null ? mutants() : List.of(only));
        report(tally, hunts);
        return tally.violations().isEmpty()
                && tally.mismatches() == 0
                && hunts.stream().allMatch(Hunt::found);
    }

    private static List<Mutant> mutants() {
        return Arrays.stream(Mutant.values())
                .filter(mutant -> mutant != Mutant.NONE)
                .toList();
    }

    private boolean runSeed(long seed) {
        Mutant chosen = options.mutant();
        Mutant mutant = chosen == null ? Mutant.NONE : chosen;
        History history = Simulation.run(seed, mutant);
        long again = Simulation.run(seed, mutant).hash();
        List<Violation> violations = Checker.check(history);
        if (!violations.isEmpty()) {
            history.facts().forEach(out::println);
            history.messages().forEach(out::println);
            violations.forEach(out::println);
        }
        out.printf(
                "seed=%d plan=%s facts=%d%n",
                seed, history.plan().kind(), history.facts().size());
        out.printf("hash=%016x again=%016x%n", history.hash(), again);
        last(1, violations.isEmpty() ? 0 : 1, 0, 0);
        return violations.isEmpty() && history.hash() == again;
    }

    private Tally runHistories() throws InterruptedException {
        AtomicLong done = new AtomicLong();
        List<Tally> parts = inParallel(options.threads(), thread -> {
            Tally part = new Tally();
            for (long i = thread; i < options.histories(); i += options.threads()) {
                part.run(options.first() + i);
                long count = done.incrementAndGet();
                if (count % PROGRESS_EVERY == 0) {
                    progress.printf("%d of %d histories%n", count, options.histories());
                }
            }
            return part;
        });
        Tally tally = new Tally();
        parts.forEach(tally::addAll);
        return tally;
    }

    private List<Hunt> hunt(List<Mutant> mutants) throws InterruptedException {
        progress.printf("%d mutants%n", mutants.size());
        AtomicLong next = new AtomicLong();
        Hunt[] hunts = new Hunt[mutants.size()];
        inParallel(options.threads(), thread -> {
            for (int i = (int) next.getAndIncrement(); i < hunts.length; i = (int) next.getAndIncrement()) {
                hunts[i] = Hunt.of(mutants.get(i));
            }
            return thread;
        });
        return List.of(hunts);
    }

    /** A share of the work. */
    private interface Share<T> {

        T run(int thread);
    }

    private static <T> List<T> inParallel(int threads, Share<T> share) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                futures.add(pool.submit(() -> share.run(thread)));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new IllegalStateException("A history could not be run", e);
        } finally {
            pool.shutdownNow();
        }
    }

    private void report(Tally tally, List<Hunt> hunts) {
        out.println("what happened how often");
        tally.coverage().counts().forEach((name, count) -> out.printf("  %-38s %12d%n", name, count));
        out.println("mutant                     histories  found by   also violated");
        hunts.forEach(out::println);
        tally.violations().entrySet().stream()
                .limit(SHOWN)
                .forEach(entry -> out.printf("seed %d: %s%n", entry.getKey(), entry.getValue()));
        out.printf("simulated hours: %.1f%n", tally.virtualHours());
        out.printf("histories run twice: %d, different: %d%n", tally.hashed(), tally.mismatches());
        last(
                tally.histories(),
                tally.violations().size(),
                hunts.stream().filter(Hunt::found).count(),
                hunts.size());
    }

    private void last(long histories, long violations, long found, long mutants) {
        out.printf("histories=%d violations=%d mutants=%d/%d%n", histories, violations, found, mutants);
        out.flush();
    }
}
