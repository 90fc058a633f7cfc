package dev.postrider.testpool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReportTest {

    private static final TestModule MODULE = new TestModule(Path.of("jdbc"), Path.of("jdbc", "target"));

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Report report = new Report(new PrintStream(printed, true, StandardCharsets.UTF_8), 1);

    @Test
    void aRunWithoutFailuresHasPassed() {
        report.ended(MODULE, result());
        report.ended(new Command.Result("simulator", true, Duration.ofSeconds(61), "histories=3 violations=0", ""));

        assertThat(report.print()).isTrue();
        assertThat(text()).contains("histories=3 violations=0").contains("1:01").doesNotContain("failures:");
    }

    @Test
    void aFailureIsPrintedAtOnceAndAtTheEnd() {
        report.ended(MODULE, result(new Failure("StoreTest > settles()", "expected 1")));

        assertThat(report.print()).isFalse();
        assertThat(text().split("StoreTest > settles\\(\\)", -1)).hasSize(3);
    }

    @Test
    void aFailedCommandFailsTheRun() {
        report.ended(MODULE, result());
        report.ended(new Command.Result("checks", false, Duration.ZERO, "", "[ERROR] format"));

        assertThat(report.print()).isFalse();
        assertThat(text()).contains("[ERROR] format");
    }

    @Test
    void aClassThatDidNotRunFailsTheRun() {
        assertThat(report.print()).isFalse();
        assertThat(text()).contains("1 classes did not run");
    }

    private static ClassResult result(Failure... failures) {
        return new ClassResult("a.StoreTest", 2, 0, Duration.ofSeconds(1), List.of(failures));
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
