package dev.postrider.saga.testkit;

import dev.postrider.saga.JournalEntry;
import java.util.List;
import java.util.stream.Collectors;

/** A journal in one line. */
final class Trail {

    private Trail() {}

    static String of(List<JournalEntry> journal) {
        return journal.stream()
                .map(each -> "%s %s%s"
                        .formatted(
                                Label.of(each), each.status(), each.attempts() > 1 ? " (" + each.attempts() + ")" : ""))
                .collect(Collectors.joining(", "));
    }
}
