package dev.postrider.benchmarks.contest.report;

import dev.postrider.benchmarks.contenders.Entrant;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The scores as text for a terminal. */
public final class Table {

    private Table() {}

    public static String of(Scores scores, Map<String, Double> ratios) {
        StringBuilder text = new StringBuilder();
        scores.all().forEach((workload, entrants) -> append(text, workload, entrants));
        text.append("\nratios\n");
        ratios.forEach((name, value) -> text.append("  %-26s %10s%n".formatted(name, number(value))));
        return text.toString();
    }

    private static void append(StringBuilder text, String workload, Map<Entrant, Score> entrants) {
        Set<String> columns = Score.names(entrants.values());
        text.append("%n%-18s".formatted(workload));
        columns.forEach(column -> text.append(" %26s".formatted(column)));
        text.append('\n');
        entrants.forEach((entrant, score) -> {
            text.append("  %-16s".formatted(entrant));
            columns.forEach(column -> text.append(" %26s".formatted(cell(score, column))));
            text.append('\n');
        });
    }

    /** The median, and the spread if there is one. */
    public static String cell(Score score, String column) {
        if (score.median(column).isEmpty()) {
            return "-";
        }
        String median = number(score.median(column).getAsDouble());
        return score.rounds(column) == 1
                ? median
                : "%s (%s-%s)".formatted(median, number(score.least(column)), number(score.most(column)));
    }

    public static String number(double value) {
        double size = Math.abs(value);
        String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 || size == 0 ? "%.2f" : "%.4f";
        return String.format(Locale.ROOT, format, value);
    }
}
