package dev.postrider.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeps assertions on wall-clock time out of the tests: a busy machine must not fail a build. */
final class TestRulesTest {

    private static final Path ROOT = Path.of("..");

    /** A sleep, an upper bound on a measured time, or a wait so short that a busy machine breaks it. */
    private static final Pattern WALL_CLOCK = Pattern.compile("Thread\\.sleep\\(|SECONDS\\.sleep\\(|assertTimeout"
            + "|\\bisLessThan(OrEqualTo)?\\(Duration\\."
            + "|\\batMost\\(Duration\\.of(Millis\\(|Seconds\\([1-5]?[0-9]\\))"
            + "|\\batMost\\([0-9_]+, (TimeUnit\\.)?(MILLI)?SECONDS\\)"
            + "|assertThat\\(\\w+\\.await\\(([1-5]?[0-9], (TimeUnit\\.)?SECONDS|[0-9_]+, (TimeUnit\\.)?MILLISECONDS)\\)"
            + "|PATIENCE = Duration\\.of(Millis\\(|Seconds\\([1-5]?[0-9]\\))");

    @Test
    void noTestAssertsWallClockTime() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            List<String> found = files.filter(TestRulesTest::isTestCode)
                    .flatMap(TestRulesTest::offences)
                    .toList();

            assertThat(found).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Thread.sleep(5);",
                "assertThat(took).isLessThan(Duration.ofSeconds(1));",
                "await().atMost(Duration.ofSeconds(5)).until(done::get);",
                "assertThat(latch.await(2, TimeUnit.SECONDS)).isTrue();",
                "private static final Duration PATIENCE = Duration.ofSeconds(10);"
            })
    void theUsualFormsAreRecognised(String line) {
        assertThat(WALL_CLOCK.matcher(line).find()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "await().atMost(Duration.ofMinutes(1)).until(done::get);",
                "await().atMost(PATIENCE).until(done::get);",
                "assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();"
            })
    void aBoundThatOnlyAHangBreaksIsAllowed(String line) {
        assertThat(WALL_CLOCK.matcher(line).find()).isFalse();
    }

    private static boolean isTestCode(Path file) {
        String path = file.toString();
        return path.endsWith(".java")
                && !path.contains("/target/")
                && (path.contains("/src/test/")
                        || path.contains("testkit/src/main/")
                        || path.contains("test-consumers/src/main/"))
                && !path.endsWith("TestRulesTest.java");
    }

    private static Stream<String> offences(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> WALL_CLOCK.matcher(line).find())
                    .map(line -> file.getFileName() + ": " + line.strip());
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read " + file, e);
        }
    }
}
