package dev.postrider.benchmarks.contest.report;

import dev.postrider.benchmarks.contenders.Entrant;
import dev.postrider.benchmarks.contest.trial.Figures;
import dev.postrider.benchmarks.contest.trial.Match;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;

/** The scores of all contenders in all workloads, in the order in which they were first measured. */
public final class Scores {

    private final Map<String, Map<Entrant, Score>> scores = new LinkedHashMap<>();

    public void add(Match match, Figures figures) {
        scores.computeIfAbsent(match.workload(), absent -> new LinkedHashMap<>())
                .computeIfAbsent(match.entrant(), absent -> new Score())
                .add(figures);
    }

    public Map<String, Map<Entrant, Score>> all() {
        return scores;
    }

    public Map<Entrant, Score> of(String workload) {
        return scores.getOrDefault(workload, Map.of());
    }

    /** Returns the median of a figure, or nothing if it was not measured. */
    public OptionalDouble median(String workload, Entrant entrant, String figure) {
        Score score = of(workload).get(entrant);
        return score == null ? OptionalDouble.empty() : score.median(figure);
    }

    /** Returns the largest of a figure in all rounds, or nothing if it was not measured. */
    public OptionalDouble most(String workload, Entrant entrant, String figure) {
        Score score = of(workload).get(entrant);
        return score == null || score.rounds(figure) == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(score.most(figure));
    }

    /** Returns the medians of a figure of all contenders that fit. */
    public DoubleStream medians(String workload, String figure, Predicate<Entrant> who) {
        return of(workload).entrySet().stream()
                .filter(entry -> who.test(entry.getKey()))
                .map(entry -> entry.getValue().median(figure))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble);
    }
}
