package dev.postrider.verification.simulator;

import java.util.Map;
import java.util.TreeMap;

/** How often things happened, over any number of histories. For one thread. */
final class Coverage {

    private final Map<String, Long> counts = new TreeMap<>();

    void add(History history) {
        count("history " + history.plan().kind());
        for (Fact fact : history.facts()) {
            switch (fact.kind()) {
                case FAULT -> count("fault " + fact.text());
                case ANSWER_LOST -> count("answer lost " + fact.text());
                case STEP_FAILED -> count("step failed " + fact.text());
                case SETTLE -> count("settle " + fact.text());
                case ANSWERED -> count("answer " + fact.text());
                case STATE -> edge(fact.changeOrFail());
                default -> count(fact.kind().name());
            }
        }
    }

    private void edge(Change change) {
        count("edge " + change.from() + " to " + (change.to() == null ? "gone" : change.to()));
    }

    void addAll(Coverage other) {
        other.counts.forEach((name, count) -> counts.merge(name, count, Long::sum));
    }

    Map<String, Long> counts() {
        return new TreeMap<>(counts);
    }

    private void count(String name) {
        counts.merge(name, 1L, Long::sum);
    }
}
