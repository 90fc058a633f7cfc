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
        return middle(rates(contender));
    }

    /** Returns the median of how they compare round by round: both of a round met the same machine. */
    double ratio(String contender, String base) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rates(base).size(); round++) {
            ratios.add(rates(contender).get(round) / rates(base).get(round));
        }
        return middle(ratios);
    }

    String table() {
        StringBuilder table =
                new StringBuilder("%-16s %12s %12s %12s%n".formatted("messages/s", "median", "slowest", "fastest"));
        rates.keySet().forEach(contender -> {
            List<Double> measured = rates(contender);
            table.append(String.format(
                    Locale.ROOT,
                    "%-16s %12.0f %12.0f %12.0f%n",
                    contender,
                    median(contender),
                    Collections.min(measured),
                    Collections.max(measured)));
        });
        return table.toString();
    }

    private List<Double> rates(String contender) {
        List<Double> measured = rates.getOrDefault(contender, List.of());
        if (measured.isEmpty()) {
            throw new IllegalArgumentException(contender + " was not measured");
        }
        return measured;
    }

    private static double middle(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
