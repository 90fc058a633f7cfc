package dev.postrider.testpool;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * How long test classes took in an earlier run: a file of lines {@code ClassName=seconds}. Only the order of the tests
 * depends on it, so an outdated file costs time and nothing else.
 */
record ClassSeconds(Map<String, Integer> known) {

    private static final int UNKNOWN = 2;
    private static final int WORTH_A_LINE = 4;

    ClassSeconds {
        known = Map.copyOf(known);
    }

    static ClassSeconds read(Path file) {
        Properties lines = new Properties();
        if (Files.exists(file)) {
            try (Reader reader = Files.newBufferedReader(file)) {
                lines.load(reader);
            } catch (IOException e) {
                throw new UncheckedIOException("Could not read " + file, e);
            }
        }
        Map<String, Integer> known = new HashMap<>();
        lines.stringPropertyNames().forEach(name -> known.put(name, Integer.valueOf(lines.getProperty(name))));
        return new ClassSeconds(known);
    }

    int of(String className) {
        return known.getOrDefault(className.substring(className.lastIndexOf('.') + 1), UNKNOWN);
    }

    static void write(Collection<ClassResult> results, Path file) throws IOException {
        Files.write(
                file,
                results.stream()
                        .filter(result -> result.time().toSeconds() >= WORTH_A_LINE)
                        .sorted(Comparator.comparing(ClassResult::time).reversed())
                        .map(result -> result.simpleName() + "=" + result.time().toSeconds())
                        .toList());
    }
}
