package dev.postrider.saga;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The order between steps. */
final class Graph {

    private Graph() {}

    /**
     * Returns the steps so that each comes after those it waits for, otherwise as they were defined.
     *
     * @throws IllegalArgumentException if steps wait for each other
     */
    static <C> List<Step<C>> inOrder(List<Step<C>> steps) {
        List<Step<C>> ordered = new ArrayList<>();
        Set<String> placed = new HashSet<>();
        List<Step<C>> left = new ArrayList<>(steps);
        while (!left.isEmpty()) {
            Step<C> next = left.stream()
                    .filter(step -> placed.containsAll(step.after()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("These steps wait for each other: "
                            + left.stream().map(Step::name).toList()));
            left.remove(next);
            placed.add(next.name());
            ordered.add(next);
        }
        return ordered;
    }

    /** Returns for each step all those that are done before it begins; the steps are in order. */
    static <C> Map<String, Set<String>> before(List<Step<C>> ordered) {
        Map<String, Set<String>> before = new HashMap<>();
        for (Step<C> step : ordered) {
            Set<String> all = new LinkedHashSet<>(step.after());
            step.after().forEach(each -> all.addAll(before.getOrDefault(each, Set.of())));
            before.put(step.name(), all);
        }
        return before;
    }
}
