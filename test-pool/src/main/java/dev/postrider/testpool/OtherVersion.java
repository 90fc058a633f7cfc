package dev.postrider.testpool;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs compiled test classes in a JVM of its own whose class path has another version of one library. So it shows which
 * versions work with code that was compiled once. Immutable.
 */
public final class OtherVersion {

    /** The system property of the JVM with the version, for a test that checks which one it got. */
    public static final String PROPERTY = "postrider.test.version";

    private static final Pattern JAR = Pattern.compile("(.+?)-(\\d.*)\\.jar");

    private final Path jar;
    private final String artifact;
    private final String version;

    /** What became of all classes together; each failure names its test and the beginning of the error. */
    public record Outcome(int tests, int skipped, List<String> failures) {

        public Outcome {
            failures = List.copyOf(failures);
        }
    }

    private OtherVersion(Path jar, String artifact, String version) {
        this.jar = jar;
        this.artifact = artifact;
        this.version = version;
    }

    /**
     * A library in a file of the name Maven gives it, such as {@code kafka-clients-4.1.2.jar}.
     *
     * @throws IllegalArgumentException if there is no such file or its name has no version
     */
    public static OtherVersion of(Path jar) {
        Matcher name = JAR.matcher(String.valueOf(jar.getFileName()));
        if (!name.matches() || !Files.isRegularFile(jar)) {
            throw new IllegalArgumentException("There is no library with a version at " + jar);
        }
        return new OtherVersion(jar.toAbsolutePath(), name.group(1), name.group(2));
    }

    public String version() {
        return version;
    }

    /** Runs test classes of the current class path, in the current folder, and waits for them. */
    public Outcome run(Class<?>... classes) {
        int tests = 0;
        int skipped = 0;
        List<String> failures = new ArrayList<>();
        try (Worker worker = Worker.start(Path.of("").toAbsolutePath(), classPath(), jvmOptions(), log())) {
            for (Class<?> each : classes) {
                ClassResult result = worker.run(each.getName());
                tests += result.tests();
                skipped += result.skipped();
                result.failures().forEach(failure -> failures.add(failure.test() + ": " + failure.error()));
                if (worker.lost()) {
                    break;
                }
            }
        }
        return new Outcome(tests, skipped, failures);
    }

    String classPath() {
        Pattern other = Pattern.compile(Pattern.quote(artifact) + "-\\d.*\\.jar");
        List<String> entries = new ArrayList<>();
        int replaced = 0;
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (other.matcher(String.valueOf(Path.of(entry).getFileName())).matches()) {
                entries.add(jar.toString());
                replaced++;
            } else {
                entries.add(entry);
            }
        }
        if (replaced == 0) {
            throw new IllegalStateException("The class path has no version of " + artifact);
        }
        return String.join(File.pathSeparator, entries);
    }

    private List<String> jvmOptions() {
        List<String> options = new ArrayList<>(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        options.add("-D" + PROPERTY + "=" + version);
        for (String name : List.of("org.slf4j.simpleLogger.defaultLogLevel", "test.timeout")) {
            String value = System.getProperty(name);
            if (value != null) {
                options.add("-D" + name + "=" + value);
            }
        }
        return options;
    }

    private Path log() {
        try {
            return Files.createDirectories(Path.of("target").toAbsolutePath())
                    .resolve("with-%s-%s.log".formatted(artifact, version));
        } catch (IOException e) {
            throw new UncheckedIOException("Could not make a folder for the log", e);
        }
    }

    @Override
    public String toString() {
        return artifact + " " + version;
    }
}
