package dev.postrider.micrometer;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The text a Prometheus server gets. */
final class Scrape {

    private Scrape() {}

    /** Returns the names of the time series. */
    static Set<String> names(String text) {
        return text.lines()
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
