package dev.postrider.benchmarks.contest.report;

import dev.postrider.benchmarks.contest.trial.Figures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** What one contender has shown in one workload, round by round. */
final class Score {

    private final Map<String, List<Double>> values = new LinkedHashMap<>();
    private final Map<String, String> settings = new LinkedHashMap<>();

    void add(Figures figures) {
        figures.values()
                .forEach((name, value) -> values.computeIfAbsent(name, absent -> new ArrayList<>())
                        .add(value));
        settings.putAll(figures.settings());
    }

    Set<String> names() {
        return values.keySet();
    }

    /** Returns the names of all figures of several contenders, in the order in which they first occur. */
    static Set<String> names(Collection<Score> scores) {
        return scores.stream()
                .flatMap(score -> score.names().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    Map<String, String> settings() {
        return settings;
    }

    OptionalDouble median(String name) {
        List<Double> sorted = new ArrayList<>(all(name));
        if (sorted.isEmpty()) {
            return OptionalDouble.empty();
        }
        Collections.sort(sorted);
        return OptionalDouble.of((sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2);
    }

    private List<Double> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    double least(String name) {
        return Collections.min(all(name));
    }

    double most(String name) {
        return Collections.max(all(name));
    }

    int rounds(String name) {
        return all(name).size();
    }
}
