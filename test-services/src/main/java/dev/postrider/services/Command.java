package dev.postrider.services;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs a program that ends by itself. */
final class Command {

    private record Result(int status, String output) {}

    private Command() {}

    /** Returns what the program printed; throws if it failed. */
    static String run(List<String> command) {
        return run(command, Map.of());
    }

    /** Returns what the program printed with these variables added to its environment; throws if it failed. */
    static String run(List<String> command, Map<String, String> environment) {
        Result result = execute(command, environment);
        if (result.status() != 0) {
            throw new IllegalStateException(
                    "%s ended with %d:%n%s".formatted(command, result.status(), result.output()));
        }
        return result.output();
    }

    static boolean succeeds(List<String> command) {
        try {
            return execute(command, Map.of()).status() == 0;
        } catch (UncheckedIOException e) {
            // The program does not exist.
            return false;
        }
    }

    private static Result execute(List<String> command, Map<String, String> environment) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
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
