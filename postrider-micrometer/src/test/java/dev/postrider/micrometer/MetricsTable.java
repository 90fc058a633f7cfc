package dev.postrider.micrometer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables of docs/metrics.md: a meter, its time series and its kind in each line. */
final class MetricsTable {

    private static final Pattern NAME = Pattern.compile("`([a-z._]+)`");

    private MetricsTable() {}

    static Set<String> meters() {
        return column(1);
    }

    static Set<String> series() {
        return column(2);
    }

    private static Set<String> column(int number) {
        Set<String> names = lines().filter(line -> line.startsWith("| `postrider.") || line.startsWith("| `outbox."))
                .flatMap(line -> names(line.split("\\|", -1)[number]).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        if (names.isEmpty()) {
            throw new IllegalStateException("docs/metrics.md has no tables");
        }
        return names;
    }

    private static List<String> names(String cell) {
        return NAME.matcher(cell).results().map(match -> match.group(1)).toList();
    }

    private static Stream<String> lines() {
        try {
            return Files.readAllLines(Path.of("..", "docs", "metrics.md")).stream();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read docs/metrics.md", e);
        }
    }
}
