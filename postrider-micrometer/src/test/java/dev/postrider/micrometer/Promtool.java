package dev.postrider.micrometer;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** The program promtool of the Debian package {@code prometheus}. */
final class Promtool {

    /** How it ended, and what it printed. */
    record Result(int status, String output) {}

    private Promtool() {}

    /**
     * Skips the test, with the reason, where the program is missing; with {@code CI=true} its absence fails the test.
     */
    static void require() {
        boolean installed = Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool")));
        Assumptions.assumeTrue(
                installed || "true".equals(System.getenv("CI")),
                "promtool is missing: sudo apt-get install -y prometheus");
    }

    static Result run(String... arguments) {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.waitFor(), output);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while running " + command, e);
        }
    }
}
