package dev.postrider.testpool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Counts the tests of one class while JUnit runs them. Not thread-safe: JUnit reports from one thread. */
final class TestCounter implements TestExecutionListener {

    private final long started = System.nanoTime();
    private final List<Failure> failures = new ArrayList<>();
    private @Nullable TestPlan plan;
    private int tests;
    private int skipped;

    @Override
    public void testPlanExecutionStarted(TestPlan testPlan) {
        plan = testPlan;
    }

    @Override
    public void executionSkipped(TestIdentifier identifier, String reason) {
        TestPlan known = plan;
        long below = known == null
                ? 0
                : known.getDescendants(identifier).stream()
                        .filter(TestIdentifier::isTest)
                        .count();
        int count = (int) below + (identifier.isTest() ? 1 : 0);
        tests += count;
        skipped += count;
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        if (identifier.isTest()) {
            tests++;
        }
        switch (result.getStatus()) {
            case SUCCESSFUL -> {}
            case ABORTED -> skipped++;
            case FAILED -> fail(identifier, result.getThrowable().orElseGet(() -> new AssertionError("no cause")));
        }
    }

    @SuppressWarnings("CatchAndPrintStackTrace") // The log of the worker is where the whole trace belongs.
    private void fail(TestIdentifier identifier, Throwable cause) {
        String test = pathTo(identifier);
        System.err.println("FAILED " + test);
        cause.printStackTrace();
        failures.add(Failure.of(test, cause));
    }

    private String pathTo(TestIdentifier identifier) {
        TestPlan known = plan;
        List<String> names = new ArrayList<>(List.of(identifier.getDisplayName()));
        if (known != null) {
            for (TestIdentifier above = known.getParent(identifier).orElse(null);
                    above != null && above.getParentId().isPresent();
                    above = known.getParent(above).orElse(null)) {
                names.add(0, above.getDisplayName());
            }
        }
        return String.join(" > ", names);
    }

    ClassResult result(String name) {
        return new ClassResult(name, tests, skipped, Duration.ofNanos(System.nanoTime() - started), failures);
    }
}
