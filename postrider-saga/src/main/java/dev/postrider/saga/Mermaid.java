package dev.postrider.saga;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Draws sagas as Mermaid flow charts. Names need no escaping: their grammar has no character that means anything. */
final class Mermaid {

    private static final String STYLES = """
                classDef done fill:#d5f5e3,stroke:#1e8449
                classDef current fill:#fef9e7,stroke:#b7950b
                classDef failed fill:#fadbd8,stroke:#943126
                classDef undone fill:#e5e7e9,stroke:#515a5a
                classDef skipped fill:#ffffff,stroke:#515a5a,stroke-dasharray:4
            """;

    private Mermaid() {}

    /** Draws a definition. */
    static String of(Blueprint<?> blueprint) {
        StringBuilder text = header(blueprint);
        blueprint.steps().forEach(step -> node(text, blueprint, step, ""));
        edges(text, blueprint);
        return text.toString();
    }

    /** Draws an instance: what was done, what is under way, what was undone, and what is left. */
    static <C> String of(Progress<C> progress) {
        Blueprint<C> blueprint = progress.blueprint();
        StringBuilder text = header(blueprint);
        for (Step<C> step : blueprint.steps()) {
            Optional<JournalEntry> forward = progress.entry(step, Direction.FORWARD);
            Optional<JournalEntry> back = progress.entry(step, Direction.COMPENSATION);
            node(text, blueprint, step, label(forward, "") + label(back, "undo "));
        }
        edges(text, blueprint);
        text.append("    status{{%s}}\n".formatted(progress.row().status()));
        text.append(STYLES);
        for (Step<C> step : blueprint.steps()) {
            style(progress, step)
                    .ifPresent(style -> text.append("    class %s %s\n".formatted(id(blueprint, step.name()), style)));
        }
        return text.toString();
    }

    private static StringBuilder header(Blueprint<?> blueprint) {
        return new StringBuilder("%%%% %s v%d\nflowchart TD\n".formatted(blueprint.name(), blueprint.version()));
    }

    private static void node(StringBuilder text, Blueprint<?> blueprint, Step<?> step, String trail) {
        boolean pivot = step.role() == StepRole.PIVOT;
        text.append("    ")
                .append(id(blueprint, step.name()))
                .append(pivot ? "{{\"" : "[\"")
                .append(step.name())
                .append("<br/>")
                .append(step.kind().name().toLowerCase(Locale.ROOT))
                .append(", ")
                .append(step.role().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .append(trail)
                .append(pivot ? "\"}}\n" : "\"]\n");
    }

    private static void edges(StringBuilder text, Blueprint<?> blueprint) {
        for (Step<?> step : blueprint.steps()) {
            step.after().stream()
                    .sorted()
                    .forEach(before -> text.append("    ")
                            .append(id(blueprint, before))
                            .append(" --> ")
                            .append(id(blueprint, step.name()))
                            .append('\n'));
        }
    }

    private static String label(Optional<JournalEntry> entry, String direction) {
        return entry.map(each -> "<br/>%s%s, attempt %d".formatted(direction, each.status(), each.attempts()))
                .orElse("");
    }

    private static <C> Optional<String> style(Progress<C> progress, Step<C> step) {
        Optional<JournalEntry> back = progress.entry(step, Direction.COMPENSATION);
        if (back.isPresent()) {
            return Optional.of(back.get().status().finished() ? "undone" : "failed");
        }
        return progress.entry(step, Direction.FORWARD).map(each -> switch (each.status()) {
            case DONE -> "done";
            case SKIPPED -> "skipped";
            case FAILED -> "failed";
            case STARTED, WAITING -> "current";
        });
    }

    // A name may be a word of Mermaid's, so nodes are numbered.
    private static String id(Blueprint<?> blueprint, String name) {
        List<String> names = blueprint.steps().stream().map(Step::name).toList();
        return "s" + (names.indexOf(name) + 1);
    }
}
