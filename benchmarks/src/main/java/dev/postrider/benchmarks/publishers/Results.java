package dev.postrider.benchmarks.publishers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The rates of all contenders, round by round. */
final class Results {

    private final Map<String, List<Double>> rates = new LinkedHashMap<>();

    void add(String contender, double rate) {
        rates.computeIfAbsent(contender, name -> new ArrayList<>()).add(rate);
    }

    double median(String contender) {
        List<Double> sorted = sorted(contender);
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** Returns how the medians compare. */
    double ratio(String contender, String base) {
        return median(contender) / median(base);
    }

    String table() {
        StringBuilder table =
                new StringBuilder("%-16s %12s %12s %12s%n".formatted("messages/s", "median", "slowest", "fastest"));
        rates.keySet().forEach(contender -> {
            List<Double> sorted = sorted(contender);
            table.append(String.format(
                    Locale.ROOT,
                    "%-16s %12.0f %12.0f %12.0f%n",
                    contender,
                    median(contender),
                    sorted.get(0),
                    sorted.get(sorted.size() - 1)));
        });
        return table.toString();
    }

    private List<Double> sorted(String contender) {
        List<Double> sorted = new ArrayList<>(rates.getOrDefault(contender, List.of()));
        if (sorted.isEmpty()) {
            throw new IllegalArgumentException(contender + " was not measured");
        }
        Collections.sort(sorted);
        return sorted;
    }
}
