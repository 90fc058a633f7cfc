package dev.postrider.cli.command;

import dev.postrider.cli.output.Column;
import dev.postrider.cli.output.OutputFormat;
import dev.postrider.cli.output.Printer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Shows messages that were not there at the last look. Transactions commit out of order, so it remembers ids. */
final class MessageTail {

    private static final int LOOK = 500;
    private static final int REMEMBERED = 20_000;

    private static final List<Column> TAIL = List.of(
            Column.text("Created", "created"),
            Column.word("Status", "status"),
            Column.text("Topic", "topic"),
            Column.text("Type", "type"),
            Column.text("Key", "key"),
            Column.text("Id", "id"));

    private final CliSession session;
    private final String filter;
    private final Duration every;
    private final Set<String> seen = Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    });

    MessageTail(CliSession session, String filter, Duration every) {
        this.session = session;
        this.filter = filter;
        this.every = every.compareTo(Duration.ofMillis(100)) < 0 ? Duration.ofMillis(100) : every;
    }

    /** Shows the {@code last} newest messages, then those that come; {@code count} of zero goes on until the end. */
    void follow(int last, int count) throws InterruptedException {
        Printer printer = session.printer();
        List<JsonNode> first = look();
        show(printer, first.subList(Math.max(0, first.size() - Math.max(0, last)), first.size()), true);
        int shown = Math.min(first.size(), Math.max(0, last));
        while (count == 0 || shown < count) {
            Thread.sleep(every.toMillis());
            List<JsonNode> fresh = look();
            if (fresh.size() == LOOK) {
                session.note("More than %d new messages in %s: some are not shown".formatted(LOOK, every));
            }
            show(printer, fresh, false);
            shown += fresh.size();
        }
    }

    private List<JsonNode> look() {
        Map<String, String> query = filter.isBlank()
                ? Map.of("limit", Integer.toString(LOOK), "order", "newest")
                : Map.of("limit", Integer.toString(LOOK), "order", "newest", "filter", filter);
        List<JsonNode> fresh = new ArrayList<>();
        session.get("messages", query).path("items").forEach(message -> {
            if (seen.add(message.path("id").asString(""))) {
                fresh.add(message);
            }
        });
        Collections.reverse(fresh);
        return fresh;
    }

    private void show(Printer printer, List<JsonNode> messages, boolean withTitles) {
        if (messages.isEmpty()) {
            return;
        }
        if (printer.format() == OutputFormat.TABLE) {
            List<String> lines = printer.lines(messages, TAIL);
            (withTitles ? lines : lines.subList(1, lines.size())).forEach(printer::line);
        } else {
            messages.forEach(message -> session.out().println(message));
            session.out().flush();
        }
    }
}
