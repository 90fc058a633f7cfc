package dev.postrider.testpool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A shell command that runs beside the tests with low priority. */
record Command(String name, String line) {

    private static final int SHOWN = 30;

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
            int status = process.waitFor();
            Runtime.getRuntime().removeShutdownHook(hook);
            Duration time = Duration.ofNanos(System.nanoTime() - started);
            List<String> lines = Files.readAllLines(log);
            String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
            String tail = String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN), lines.size()));
            return new Result(name, status == 0, time, last, tail);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not run " + line, e);
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
    }
}
