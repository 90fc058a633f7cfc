package dev.postrider.services;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A main class of the current class path that runs in a JVM of its own, so that a test can stop or kill it. It does not
 * outlive this JVM. Thread-safe.
 */
public final class ChildJvm implements AutoCloseable {

    private final OwnedProcess process;
    private final Path folder;
    private final Runnable atExit = this::close;

    private ChildJvm(OwnedProcess process, Path folder) {
        this.process = process;
        this.folder = folder;
    }

    /** Starts configuring a JVM that runs {@code main}. */
    public static Builder of(Class<?> main) {
        return new Builder(main.getName());
    }

    public long pid() {
        return process.pid();
    }

    public boolean alive() {
        return process.alive();
    }

    /** Freezes the JVM with SIGSTOP, as a long pause of the machine would. */
    public void stop() {
        process.freeze();
    }

    /** Lets a frozen JVM go on with SIGCONT. */
    public void cont() {
        process.thaw();
    }

    /** Asks the JVM with SIGTERM to shut down, without waiting for it. */
    public void terminate() {
        process.signal("TERM");
    }

    /** Kills the JVM and its descendants with SIGKILL and waits until they are gone. */
    public void kill() {
        process.kill();
    }

    /** Waits for the JVM to end and returns its exit status; 128 plus the signal if one ended it. */
    public int awaitExit(Duration timeout) {
        return process.awaitExit(timeout)
                .orElseThrow(() -> new IllegalStateException(
                        "Child JVM %d still runs after %s:%n%s".formatted(pid(), timeout, process.outputTail())));
    }

    /** Returns everything printed so far to standard output and standard error. */
    public String output() {
        return process.output();
    }

    /** Waits until the JVM has printed {@code text}. */
    public void awaitOutput(String text, Duration timeout) {
        Poll.until(
                () -> {
                    // Asked first, because the text may be the last thing it prints.
                    boolean ended = !alive();
                    boolean printed = output().contains(text);
                    if (ended && !printed) {
                        throw new IllegalStateException(
                                "Child JVM %d ended without printing '%s':%n%s".formatted(pid(), text, output()));
                    }
                    return printed;
                },
                timeout,
                () -> "Child JVM %d did not print '%s' within %s:%n%s"
                        .formatted(pid(), text, timeout, process.outputTail()));
    }

    /** Kills the JVM with its descendants and deletes its output. */
    @Override
    public void close() {
        AtExit.remove(atExit);
        process.kill();
        Folders.delete(folder);
    }

    /** Configures a {@link ChildJvm}. Not thread-safe. */
    public static final class Builder {

        private final String main;
        private final List<String> arguments = new ArrayList<>();
        private final List<String> jvmOptions = new ArrayList<>();
        private final Map<String, String> environment = new LinkedHashMap<>();
        private String heap = "256m";

        private Builder(String main) {
            this.main = main;
        }

        /** The largest heap, as {@code -Xmx} takes it. Default 256m. */
        public Builder heap(String size) {
            this.heap = size;
            return this;
        }

        /** Adds arguments of the main method. */
        public Builder arguments(String... more) {
            arguments.addAll(List.of(more));
            return this;
        }

        public Builder environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        public Builder systemProperty(String name, String value) {
            return jvmOptions("-D" + name + "=" + value);
        }

        /** Trades peak speed for a cheap start: for a child that lives for seconds beside the test that started it. */
        public Builder quickStart() {
            return jvmOptions("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto");
        }

        /** Adds options of the JVM itself. */
        public Builder jvmOptions(String... more) {
            jvmOptions.addAll(List.of(more));
            return this;
        }

        public ChildJvm start() {
            Path folder = Folders.createTemporary();
            Path java = Path.of(System.getProperty("java.home"), "bin", "java");
            ProcessBuilder builder = new ProcessBuilder(java.toString(), "@" + argumentFile(folder));
            builder.environment().putAll(environment);
            ChildJvm child = new ChildJvm(OwnedProcess.start(builder, folder, "output.log"), folder);
            AtExit.add(child.atExit);
            return child;
        }

        // A file, because a class path can be longer than a command line may be.
        private Path argumentFile(Path folder) {
            List<String> all = new ArrayList<>(List.of("-Xmx" + heap));
            all.addAll(jvmOptions);
            all.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
            all.addAll(arguments);
            try {
                return Files.write(
                        folder.resolve("arguments"),
                        all.stream().map(Builder::quoted).toList());
            } catch (IOException e) {
                throw new UncheckedIOException("Could not write the arguments of " + main, e);
            }
        }

        private static String quoted(String argument) {
            return '"'
                    + argument.replace("\\", "\\\\")
                            .replace("\"", "\\\"")
                            .replace("\n", "\\n")
                            .replace("\r", "\\r")
                    + '"';
        }
    }
}
