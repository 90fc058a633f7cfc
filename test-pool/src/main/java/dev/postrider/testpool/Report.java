package dev.postrider.testpool;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Prints every class as it ends, and at the end one table and the failures. Thread-safe. */
final class Report {

    private static final int SLOWEST = 10;
    private static final String ROW = "%-24s %8s %7s %8s %7s %8s  %s%n";

    private final PrintStream out;
    private final int expected;
    private final long started = System.nanoTime();
    private final Map<String, List<ClassResult>> modules = new TreeMap<>();
    private final List<Command.Result> commands = new ArrayList<>();
    private int ended;

    Report(PrintStream out, int expected) {
        this.out = out;
        this.expected = expected;
    }

    synchronized void ended(TestModule module, ClassResult result) {
        modules.computeIfAbsent(module.name(), name -> new ArrayList<>()).add(result);
        ended++;
        out.printf(
                "%s %3d/%d  %-22s %-36s %4d tests %6.1f s%s%n",
                text(elapsed()),
                ended,
                expected,
                module.name(),
                result.simpleName(),
                result.tests(),
                result.time().toMillis() / 1000.0,
                result.failures().isEmpty() ? "" : "  FAILED");
        result.failures().forEach(this::print);
    }

    synchronized void ended(Command.Result result) {
        commands.add(result);
        out.printf(
                "%s          %-22s %s in %s  %s%n",
                text(elapsed()),
                result.name(),
                result.passed() ? "passed" : "FAILED",
                text(result.time()),
                result.lastLine());
    }

    synchronized List<ClassResult> classes() {
        return modules.values().stream().flatMap(List::stream).toList();
    }

    /** Prints the table and the failures; returns whether everything passed. */
    synchronized boolean print() {
        out.println();
        out.printf(ROW, "job", "classes", "tests", "skipped", "failed", "time", "");
        modules.forEach(this::row);
        commands.forEach(result -> out.printf(
                ROW, result.name(), "", "", "", result.passed() ? 0 : 1, text(result.time()), result.lastLine()));
        List<ClassResult> all = classes();
        row("all tests", all);
        out.println();
        out.println("slowest: " + slowest(all));
        boolean passed = all.stream().allMatch(result -> result.failures().isEmpty())
                && commands.stream().allMatch(Command.Result::passed)
                && ended == expected;
        if (!passed) {
            printFailures(all);
        }
        return passed;
    }

    private void row(String name, Collection<ClassResult> results) {
        Duration time = results.stream().map(ClassResult::time).reduce(Duration.ZERO, Duration::plus);
        out.printf(
                ROW,
                name,
                results.size(),
                results.stream().mapToInt(ClassResult::tests).sum(),
                results.stream().mapToInt(ClassResult::skipped).sum(),
                results.stream().mapToInt(result -> result.failures().size()).sum(),
                text(time),
                "");
    }

    private static String slowest(List<ClassResult> results) {
        return results.stream()
                .sorted(Comparator.comparing(ClassResult::time).reversed())
                .limit(SLOWEST)
                .map(result ->
                        "%s %d s".formatted(result.simpleName(), result.time().toSeconds()))
                .reduce((one, other) -> one + ", " + other)
                .orElse("");
    }

    private void printFailures(List<ClassResult> results) {
        out.println();
        out.println("failures:");
        results.stream().flatMap(result -> result.failures().stream()).forEach(this::print);
        commands.stream()
                .filter(result -> !result.passed())
                .forEach(result ->
                        out.println("  " + result.name() + "\n" + result.tail().indent(4)));
        if (ended < expected) {
            out.printf("  %d classes did not run%n", expected - ended);
        }
    }

    private void print(Failure failure) {
        out.println("  " + failure.test());
        out.print(failure.error().indent(4));
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - started);
    }

    private static String text(Duration time) {
        return "%2d:%02d".formatted(time.toMinutes(), time.toSecondsPart());
    }
}
