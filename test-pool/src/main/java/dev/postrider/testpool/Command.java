package dev.postrider.testpool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A shell command that runs beside the tests with low priority. */
record Command(String name, String line) {

    private static final int SHOWN = 30;

    /** Only a command that hangs takes longer. */
    private static final Duration TIMEOUT = Duration.ofMinutes(45);

    /**
     * What became of a command.
     *
     * @param lastLine the last line it printed
     * @param tail the last lines it printed, if it failed
     */
    record Result(String name, boolean passed, Duration time, String lastLine, String tail) {}

    Result run(Path logFolder) throws InterruptedException {
        Path log = logFolder.resolve(name + ".log");
        long started = System.nanoTime();
        try {
            Process process = new ProcessBuilder("nice", "-n", "10", "bash", "-c", line)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            Thread hook = new Thread(() -> end(process));
            Runtime.getRuntime().addShutdownHook(hook);
            boolean ended = process.waitFor(TIMEOUT.toMinutes(), TimeUnit.MINUTES);
            if (!ended) {
                end(process);
            }
            Runtime.getRuntime().removeShutdownHook(hook);
            Duration time = Duration.ofNanos(System.nanoTime() - started);
            // Maven ends its output with colour codes.
            List<String> lines = Files.readAllLines(log).stream()
                    .map(line -> line.replaceAll("\u001B\\[[0-9;]*m", ""))
                    .filter(line -> !line.isBlank())
                    .toList();
            String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
            String tail = String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN), lines.size()));
            return new Result(name, ended && process.exitValue() == 0, time, last, tail);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not run " + line, e);
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
    }
}
