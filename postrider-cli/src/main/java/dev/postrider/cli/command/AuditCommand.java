package dev.postrider.cli.command;

import dev.postrider.cli.output.Column;
import dev.postrider.cli.run.ExitCodes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads the audit trail. */
@Command(
        name = "audit",
        description = "Lists what people did, the latest first: who, when, to which message, why.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  postrider audit",
            "  postrider audit --by ada --from 2026-11-01T00:00:00Z",
            "  postrider audit --message 01976d2e-7d4a-7c10-9a39-6f1f6f8d2a11 -o json"
        })
final class AuditCommand implements Callable<Integer> {

    static final List<Column> COLUMNS = List.of(
            Column.text("At", "at"),
            Column.text("By", "by"),
            Column.text("Action", "action"),
            Column.text("Message", "messageId"),
            Column.text("Bulk", "bulkId"),
            Column.text("Detail", "detail"),
            Column.text("Reason", "reason"));

    @Mixin
    CliSession session = new CliSession();

    @Option(names = "--by", paramLabel = "NAME", description = "Only what this person did.")
    @Nullable String by;

    @Option(names = "--from", paramLabel = "TIME", description = "Not before this time, such as 2026-11-01T00:00:00Z.")
    @Nullable String from;

    @Option(names = "--before", paramLabel = "TIME", description = "Before this time.")
    @Nullable String before;

    @Option(names = "--message", paramLabel = "ID", description = "Only what was done to this message.")
    @Nullable UUID message;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many at most. Default: ${DEFAULT-VALUE}.")
    int limit;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "Goes on where an earlier list ended.")
    @Nullable String cursor;

    @Override
    public Integer call() {
        Map<String, String> query = new HashMap<>();
        put(query, "cursor", cursor);
        put(query, "by", by);
        put(query, "from", from);
        put(query, "before", before);
        put(query, "messageId", message == null ? null : message.toString());
        session.print(session.list("audit", query, limit), COLUMNS);
        return ExitCodes.DONE;
    }

    private static void put(Map<String, String> query, String name, @Nullable String value) {
        if (value != null) {
            query.put(name, value);
        }
    }
}
