package dev.postrider.cli.command;

import dev.postrider.cli.output.Column;
import dev.postrider.cli.output.OutputFormat;
import dev.postrider.cli.output.Printer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Lists, shows and follows messages of the outbox. */
@Command(
        name = "messages",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = "Lists, shows and follows messages of the outbox.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  postrider messages list --filter 'status:pending topic:orders'",
            "  postrider messages show 01976d2e-7d4a-7c10-9a39-6f1f6f8d2a11"
        })
final class MessagesCommand {

    static final List<Column> COLUMNS = List.of(
            Column.word("Status", "status"),
            Column.age("Age", "created"),
            Column.text("Namespace", "namespace"),
            Column.text("Topic", "topic"),
            Column.text("Type", "type"),
            Column.text("Key", "key"),
            Column.count("Attempts", "attempts"),
            Column.text("Last error", "lastError"),
            Column.text("Id", "id"));

    private static final List<Column> DETAIL = List.of(
            Column.text("Id", "id"),
            Column.word("Status", "status"),
            Column.text("Namespace", "namespace"),
            Column.text("Topic", "topic"),
            Column.text("Type", "type"),
            Column.text("Version", "version"),
            Column.text("Key", "key"),
            Column.text("Tenant", "tenant"),
            Column.text("Dedupe key", "dedupeKey"),
            Column.text("Seq", "seq"),
            Column.text("Attempts", "attempts"),
            Column.text("Max attempts", "maxAttempts"),
            Column.text("Claimed by", "claimedBy"),
            Column.text("Failure", "failure"),
            Column.text("Last error", "lastError"),
            Column.text("Defect", "defect"),
            Column.text("Created", "created"),
            Column.text("Updated", "updated"),
            Column.text("Due", "due"),
            Column.text("Claimed until", "claimedUntil"),
            Column.text("Delivered", "delivered"),
            Column.text("Died", "died"),
            Column.text("Content type", "contentType"),
            Column.text("Payload bytes", "payloadBytes"));

    private static final List<Column> ATTEMPTS = List.of(
            Column.count("Attempt", "attempt"),
            Column.text("Ended", "ended"),
            Column.text("Relay", "relay"),
            Column.word("Outcome", "outcome"),
            Column.length("Took", "tookMillis"),
            Column.text("Failure", "failure"),
            Column.text("Error", "error"));

    private static final int SHOWN_PAYLOAD = 2_000;

    @Command(
            name = "list",
            description = "Lists messages, the newest first.",
            footerHeading = "%nExamples:%n",
            footer = {
                "  postrider messages list",
                "  postrider messages list --filter 'status:pending age:>5m' --limit 200",
                "  postrider messages list --filter 'key:42' --order oldest -o csv > key-42.csv"
            })
    int list(
            @Mixin CliSession session,
            @Mixin Choice choice,
            @Option(
                            names = "--order",
                            paramLabel = "ORDER",
                            defaultValue = "newest",
                            description = "newest or oldest first. Default: ${DEFAULT-VALUE}.")
                    String order) {
        Map<String, String> query = choice.query();
        query.put("order", order);
        session.print(session.list("messages", query, choice.limit(session)), COLUMNS);
        return 0;
    }

    @Command(
            name = "show",
            description = "Shows a message with its attempts, its audit trail and its payload.",
            footerHeading = "%nExamples:%n",
            footer = {
                "  postrider messages show 01976d2e-7d4a-7c10-9a39-6f1f6f8d2a11",
                "  postrider messages show 01976d2e-7d4a-7c10-9a39-6f1f6f8d2a11 --neighbours",
                "  postrider messages show 01976d2e-7d4a-7c10-9a39-6f1f6f8d2a11 --payload > payload.json"
            })
    int show(
            @Mixin CliSession session,
            @Parameters(paramLabel = "ID", description = "The id of the message.") UUID id,
            @Option(names = "--payload", description = "Writes the payload alone, byte for byte.") boolean payload,
            @Option(names = "--neighbours", description = "Shows the messages of the same key before and after it.")
                    boolean neighbours) {
        if (payload) {
            session.download(
                    "messages/" + id + "/payload",
                    Map.of(),
                    session.environment().data());
            return 0;
        }
        JsonNode message = session.get("messages/" + id);
        Printer printer = session.printer();
        printer.object(message, DETAIL);
        if (printer.format() == OutputFormat.TABLE) {
            details(printer, message);
        }
        if (neighbours) {
            JsonNode around = session.get("messages/" + id + "/neighbours");
            section(printer, "Before it, same key", around.path("before"), COLUMNS);
            section(printer, "After it, same key", around.path("after"), COLUMNS);
        }
        return 0;
    }

    private static void details(Printer printer, JsonNode message) {
        JsonNode headers = message.path("headers");
        if (!headers.isEmpty()) {
            printer.line("");
            headers.properties()
                    .forEach(header -> printer.line("Header  " + Column.printable(header.getKey()) + ": "
                            + Column.printable(header.getValue().asString(""))));
        }
        section(printer, "Attempts", message.path("attemptsList"), ATTEMPTS);
        section(printer, "Decisions", message.path("audit"), AuditCommand.COLUMNS);
        String text = message.path("payload").path("text").asString("");
        if (!text.isEmpty()) {
            boolean cut = text.length() > SHOWN_PAYLOAD;
            printer.line("");
            printer.line(printer.paint().bold("Payload"));
            printer.line(lines(cut ? text.substring(0, SHOWN_PAYLOAD) : text));
            if (cut) {
                printer.line("… cut after %d characters; --payload writes all".formatted(SHOWN_PAYLOAD));
            }
        }
    }

    private static String lines(String text) {
        return String.join("\n", text.lines().map(Column::printable).toList());
    }

    static void section(Printer printer, String title, JsonNode rows, List<Column> columns) {
        if (!rows.isEmpty()) {
            printer.line("");
            printer.line(printer.paint().bold(title));
            printer.table(rows.valueStream().toList(), columns);
        }
    }

    @Command(
            name = "tail",
            description = {
                "Follows new messages until it is interrupted.",
                "Each look takes the newest 500 of the filter; a note says so if there were more."
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  postrider messages tail",
                "  postrider messages tail --filter 'topic:orders' -o jsonl",
                "  postrider messages tail --count 10 --every 5s"
            })
    int tail(
            @Mixin CliSession session,
            @Option(
                            names = {"-f", "--filter"},
                            paramLabel = "FILTER",
                            defaultValue = "",
                            description = "Which ones, as for 'messages list'.")
                    String filter,
            @Option(
                            names = "--every",
                            paramLabel = "LENGTH",
                            converter = LengthOfTime.class,
                            defaultValue = "2s",
                            description = "How often to look. Default: ${DEFAULT-VALUE}.")
                    Duration every,
            @Option(
                            names = "--last",
                            paramLabel = "N",
                            defaultValue = "10",
                            description = "How many older messages to begin with. Default: ${DEFAULT-VALUE}.")
                    int last,
            @Option(
                            names = "--count",
                            paramLabel = "N",
                            defaultValue = "0",
                            description = "Ends after so many messages; 0 goes on. Default: ${DEFAULT-VALUE}.")
                    int count)
            throws InterruptedException {
        new MessageTail(session, filter, every).follow(last, count);
        return 0;
    }

    @Command(
            name = "replay",
            description = {
                "Delivers messages once more that were delivered before: by id, or all of a filter.",
                "Consumers see them again; an inbox recognises them. Without --execute it says what it would do."
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  postrider messages replay 01976d2e-7d4a-7c10-9a39-6f1f6f8d2a11 --execute --reason 'lost by stock'",
                "  postrider messages replay --filter 'topic:orders created:2026-11-01..2026-11-02'"
            })
    int replay(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Mixin ManyMessages many,
            @Parameters(paramLabel = "ID", arity = "0..*", description = "The ids of messages.") @Nullable List<UUID> ids) {
        return many.change(session, changing, new ManyMessages.Deed("replay", "delivered"), ids);
    }
}
