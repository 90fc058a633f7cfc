package dev.postrider.services;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs a program that ends by itself. */
final class Command {

    private record Result(int status, String output) {}

    private Command() {}

    /** Returns what the program printed; throws if it failed. */
    static String run(List<String> command) {
        return run(new ProcessBuilder(command));
    }

    /** Returns what the program printed in the builder's folder and environment; throws if it failed. */
    static String run(ProcessBuilder builder) {
        Result result = execute(builder);
        if (result.status() != 0) {
            throw new IllegalStateException(
                    "%s ended with %d:%n%s".formatted(builder.command(), result.status(), result.output()));
        }
        return result.output();
    }

    static boolean succeeds(List<String> command) {
        try {
            return execute(new ProcessBuilder(command)).status() == 0;
        } catch (UncheckedIOException e) {
            // The program does not exist.
            return false;
        }
    }

    private static Result execute(ProcessBuilder builder) {
        try {
            Process process = builder.redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.waitFor(), output);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not run " + builder.command(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while running " + builder.command(), e);
        }
    }
}
