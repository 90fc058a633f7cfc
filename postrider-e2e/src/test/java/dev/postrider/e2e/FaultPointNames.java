package dev.postrider.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the names of fault points in the sources, so that a new one cannot be forgotten. */
final class FaultPointNames {

    private static final Pattern REACHED = Pattern.compile("FaultPoint\\.reached\\(\"([^\"]+)\"\\)");

    private FaultPointNames() {}

    /** Returns all names in the main sources of a module. */
    static Set<String> of(String module) {
        try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .flatMap(file -> REACHED.matcher(read(file)).results())
                    .map(found -> found.group(1))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException("Could not list the sources of " + module, e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read " + file, e);
        }
    }
}
