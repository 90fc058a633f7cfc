package dev.postrider.console.saga;

import dev.postrider.saga.Direction;
import dev.postrider.saga.JournalEntry;
import dev.postrider.saga.SagaAdmin.StepOutline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A saga as a graph: its steps, and behind them the compensations that were begun. Steps without a journal entry have
 * the status PLANNED.
 *
 * @param nodes steps and compensations
 * @param edges what is done after what
 */
record SagaGraph(List<SagaNode> nodes, List<SagaEdge> edges) {

    private static final String PLANNED = "PLANNED";

    /** A step, or its compensation. */
    record SagaNode(String id, String step, String direction, String status, int attempts) {}

    /** Leads from a node to one that is done after it. */
    record SagaEdge(String from, String to) {}

    static SagaGraph of(List<StepOutline> outline, List<JournalEntry> journal) {
        Map<String, SagaNode> nodes = new LinkedHashMap<>();
        List<SagaEdge> edges = new ArrayList<>();
        List<StepOutline> steps = ordered(outline.isEmpty() ? fromJournal(journal) : outline);
        for (StepOutline step : steps) {
            nodes.put(step.step(), node(step.step(), Direction.FORWARD, journal));
            step.after().forEach(before -> edges.add(new SagaEdge(before, step.step())));
        }
        List<JournalEntry> undone = journal.stream()
                .filter(each -> each.direction() == Direction.COMPENSATION)
                .sorted(Comparator.comparingInt(JournalEntry::seq))
                .toList();
        String last = null;
        for (JournalEntry entry : undone) {
            SagaNode node = node(entry.step(), Direction.COMPENSATION, journal);
            nodes.put(node.id(), node);
            edges.add(new SagaEdge(last == null ? entry.step() : last, node.id()));
            last = node.id();
        }
        return new SagaGraph(List.copyOf(nodes.values()), edges);
    }

    private static SagaNode node(String step, Direction direction, List<JournalEntry> journal) {
        boolean forward = direction == Direction.FORWARD;
        Optional<JournalEntry> entry = journal.stream()
                .filter(each -> each.step().equals(step) && each.direction() == direction)
                .findFirst();
        return new SagaNode(
                forward ? step : "undo:" + step,
                step,
                forward ? "FORWARD" : "BACK",
                entry.map(each -> each.status().name()).orElse(PLANNED),
                entry.map(JournalEntry::attempts).orElse(0));
    }

    // A definition that no engine has registered on these tables is drawn as what happened.
    private static List<StepOutline> fromJournal(List<JournalEntry> journal) {
        List<StepOutline> steps = new ArrayList<>();
        journal.stream()
                .filter(each -> each.direction() == Direction.FORWARD)
                .sorted(Comparator.comparingInt(JournalEntry::seq))
                .forEach(each -> steps.add(new StepOutline(
                        each.step(),
                        "",
                        "",
                        steps.isEmpty()
                                ? List.of()
                                : List.of(steps.get(steps.size() - 1).step()))));
        return steps;
    }

    // The outline is by name; a step stands behind all that are done before it.
    private static List<StepOutline> ordered(List<StepOutline> outline) {
        List<StepOutline> left = new ArrayList<>(outline);
        List<StepOutline> ordered = new ArrayList<>();
        List<String> placed = new ArrayList<>();
        while (!left.isEmpty()) {
            StepOutline next = left.stream()
                    .filter(each -> placed.containsAll(each.after()))
                    .findFirst()
                    .orElse(left.get(0));
            left.remove(next);
            placed.add(next.step());
            ordered.add(next);
        }
        return ordered;
    }
}
