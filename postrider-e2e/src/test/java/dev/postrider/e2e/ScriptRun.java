package dev.postrider.e2e;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * How a script of the repository ended.
 *
 * @param output standard output and standard error
 */
record ScriptRun(int status, String output) {

    static ScriptRun of(Path script, String... arguments) {
        return of("", script, arguments);
    }

    static ScriptRun of(String input, Path script, String... arguments) {
        List<String> command = Stream.concat(Stream.of(script.toAbsolutePath().toString()), Stream.of(arguments))
                .toList();
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            try (OutputStream stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new ScriptRun(process.waitFor(), output);
        } catch (IOException e) {
            throw new IllegalStateException("Could not run " + command, e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("Interrupted while %s ran".formatted(command), e);
        }
    }
}
