package dev.postrider.services;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A child process with a folder of its own, its output in a file there. Neither outlives this JVM, even if the JVM is
 * killed.
 */
final class OwnedProcess {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int TAIL = 4_000;

    // The pipe from this JVM ends with a line if all is well and without one if the JVM was killed.
    private static final String GUARD = "read -r line || { kill -KILL $0; sleep 1; rm -rf \"$1\"; }";

    private final Process process;
    private final Process guard;
    private final Path output;

    private OwnedProcess(Process process, Process guard, Path output) {
        this.process = process;
        this.guard = guard;
        this.output = output;
    }

    /** Starts a process whose output is appended to the file {@code output} in {@code folder}. */
    static OwnedProcess start(ProcessBuilder builder, Path folder, String output) {
        Path file = folder.resolve(output);
        try {
            Process process = builder.redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(file.toFile()))
                    .start();
            String pid = Long.toString(process.pid());
            Process guard = new ProcessBuilder("sh", "-c", GUARD, pid, folder.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new OwnedProcess(process, guard, file);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Could not start " + builder.command().get(0), e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    void signal(String name) {
        Command.run(List.of("kill", "-" + name, Long.toString(pid())));
    }

    /** Stops the process with SIGSTOP and waits until none of its threads runs any more. */
    void freeze() {
        signal("STOP");
        // The signal has been sent, not obeyed: on a busy machine the threads may run on for a while.
        Poll.until(this::frozen, TIMEOUT, () -> "Process %d does not stop".formatted(pid()));
    }

    /** Lets a frozen process go on. */
    void thaw() {
        signal("CONT");
    }

    private boolean frozen() {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid()), "task"))) {
            return threads.allMatch(thread -> state(thread) == 'T');
        } catch (IOException e) {
            throw new UncheckedIOException("Process %d has ended".formatted(pid()), e);
        }
    }

    /** Returns the exit status, or empty if the process still runs after {@code timeout}. */
    OptionalInt awaitExit(Duration timeout) {
        try {
            return process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS)
                    ? OptionalInt.of(process.exitValue())
                    : OptionalInt.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the end of process " + pid(), e);
        }
    }

    /** Kills the process and all its descendants and waits until they are gone. */
    void kill() {
        List<ProcessHandle> family = new ArrayList<>(List.of(process.toHandle()));
        // Guards against the children of another process: the number of one that has ended may have been given again.
        if (alive()) {
            // A stopped process has no more children, so none can escape.
            Command.succeeds(List.of("kill", "-STOP", Long.toString(pid())));
            family.addAll(process.descendants().toList());
        }
        family.forEach(ProcessHandle::destroyForcibly);
        family.forEach(OwnedProcess::awaitEnd);
        awaitExit(TIMEOUT);
        release();
    }

    /** Ends a process in the way of {@code signal}, and kills it if that does not help. */
    void end(String signal, Duration patience) {
        if (alive() && !signal.equals("KILL")) {
            Command.succeeds(List.of("kill", "-" + signal, Long.toString(pid())));
            awaitExit(patience);
        }
        kill();
    }

    String output() {
        try {
            return Files.exists(output) ? new String(Files.readAllBytes(output), StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read " + output, e);
        }
    }

    String outputTail() {
        String all = output();
        return all.substring(Math.max(0, all.length() - TAIL));
    }

    private void release() {
        try (OutputStream pipe = guard.getOutputStream()) {
            if (guard.isAlive()) {
                pipe.write('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not end the guard of process " + pid(), e);
        }
    }

    // Polled, because ProcessHandle.onExit looks at descendants only every few hundred milliseconds.
    private static void awaitEnd(ProcessHandle process) {
        Poll.until(() -> ended(process), TIMEOUT, () -> "Process %d did not end".formatted(process.pid()));
    }

    /** A zombie has ended too: in a container nobody may ever collect it. */
    private static boolean ended(ProcessHandle process) {
        return !process.isAlive() || state(Path.of("/proc", Long.toString(process.pid()))) == 'Z';
    }

    /** The state of a process or a thread by its folder below {@code /proc}; that of one that has ended is Z. */
    private static char state(Path task) {
        try {
            String stat = Files.readString(task.resolve("stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            // It ended in between.
            return 'Z';
        }
    }
}
