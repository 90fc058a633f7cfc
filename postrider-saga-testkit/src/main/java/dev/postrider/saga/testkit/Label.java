package dev.postrider.saga.testkit;

import dev.postrider.saga.Direction;
import dev.postrider.saga.JournalEntry;

/** What a step in one direction is called in names of scenarios and in reports. */
final class Label {

    /** Before any step has run. */
    static final String START = "the start";

    private Label() {}

    static String of(String step, Direction direction) {
        return direction == Direction.FORWARD ? step : "undo " + step;
    }

    static String of(JournalEntry entry) {
        return of(entry.step(), entry.direction());
    }
}
