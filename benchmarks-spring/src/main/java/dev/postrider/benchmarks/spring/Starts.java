package dev.postrider.benchmarks.spring;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;

/** Starts the application in JVMs of their own. */
final class Starts {

    private static final Pattern STARTED = Pattern.compile("started_ms=([0-9]+) true");
    private static final long PATIENCE_SECONDS = 120;

    private Starts() {}

    /** Returns the milliseconds from the start of the JVM to the started application. */
    static long millis(boolean withPostrider) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Shop.class.getName(),
                "--spring.main.banner-mode=off",
                "--logging.level.root=warn"));
        if (!withPostrider) {
            command.add("--spring.autoconfigure.exclude=" + String.join(",", configurations()));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        Matcher started = STARTED.matcher(printed);
        if (!started.find()) {
            throw new IllegalStateException("The application did not start:\n" + printed);
        }
        return Long.parseLong(started.group(1));
    }

    /** The auto-configurations of the starter, as Spring Boot reads them. */
    private static List<String> configurations() {
        return ImportCandidates.load(AutoConfiguration.class, Starts.class.getClassLoader()).getCandidates().stream()
                .filter(name -> name.startsWith("dev.postrider."))
                .toList();
    }
}
