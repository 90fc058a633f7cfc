package dev.postrider.saga.testkit;

import java.util.List;

/**
 * Which scenarios a saga went through and how each of them ended. Immutable.
 *
 * @param saga name and version of the definition
 * @param lines one for each scenario
 */
public record SagaTestReport(String saga, List<Line> lines) {

    /** Keeps a copy of the lines. */
    public SagaTestReport {
        lines = List.copyOf(lines);
    }

    /**
     * One scenario.
     *
     * @param scenario its name, which {@link SagaTest#only} takes
     * @param outcome how the saga ended; with what an operator made of it, if it was stuck
     * @param trail what became of its steps, in the order in which they were begun
     * @param violations what should not be so; empty if all is well
     * @param mermaid the saga as a Mermaid flow chart; empty if it left no journal
     */
    public record Line(String scenario, String outcome, String trail, List<String> violations, String mermaid) {

        /** Keeps a copy of the violations. */
        public Line {
            violations = List.copyOf(violations);
        }
    }

    /** Returns the scenarios in which something is not as it should be. */
    public List<Line> violated() {
        return lines.stream().filter(each -> !each.violations().isEmpty()).toList();
    }

    /** Draws a table of the scenarios, one in each line. */
    @Override
    public String toString() {
        int width =
                lines.stream().mapToInt(each -> each.scenario().length()).max().orElse(1);
        StringBuilder text = new StringBuilder("SagaTest of %s: %d scenarios, %d violated%n"
                .formatted(saga, lines.size(), violated().size()));
        for (Line line : lines) {
            String mark = line.violations().isEmpty() ? "ok  " : "FAIL";
            text.append("%s  %s  %s%n"
                    .formatted(
                            mark,
                            line.scenario() + " ".repeat(width - line.scenario().length()),
                            line.outcome()));
        }
        return text.toString();
    }

    /** Says for each violated scenario what is wrong, what happened, and how to see it again. */
    String complaint() {
        StringBuilder text = new StringBuilder(toString());
        for (Line line : violated()) {
            text.append("%n%s%n".formatted(line.scenario()));
            line.violations().forEach(each -> text.append("  %s%n".formatted(each)));
            text.append("  trail: %s%n".formatted(line.trail()));
            text.append("  repeat it with .only(\"%s\")%n".formatted(line.scenario()));
            line.mermaid().lines().forEach(each -> text.append("    %s%n".formatted(each)));
        }
        return text.toString();
    }
}
