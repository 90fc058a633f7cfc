package dev.postrider.cli.command;

import dev.postrider.cli.output.Column;
import dev.postrider.cli.output.OutputFormat;
import dev.postrider.cli.output.Printer;
import dev.postrider.cli.run.ExitCodes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Looks after actions on many messages. */
@Command(
        name = "bulk",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = "Looks after bulk actions, which 'dead requeue', 'dead discard' and 'messages replay' begin.",
        footerHeading = "%nExamples:%n",
        footer = {"  postrider bulk list", "  postrider bulk resume 7c1d… --execute --reason 'broker is back'"})
final class BulkCommand {

    private static final List<Column> ROWS = List.of(
            Column.word("Result", "result"), Column.text("Message", "messageId"), Column.text("Error", "error"));

    @Command(
            name = "list",
            description = "Lists bulk actions, the newest first.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider bulk list", "  postrider bulk list -o json"})
    int list(@Mixin CliSession session) {
        session.print(session.get("bulk"), BulkFollower.COLUMNS);
        return ExitCodes.DONE;
    }

    @Command(
            name = "show",
            description = "Shows a bulk action and the messages that it left alone or that failed.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider bulk show 7c1d…", "  postrider bulk show 7c1d… --result failed --limit 200"})
    int show(
            @Mixin CliSession session,
            @Option(
                            names = "--result",
                            paramLabel = "RESULT",
                            description = "Only rows that ended so: done, skipped or failed.")
                    @Nullable String result,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "50",
                            description = "How many rows at most. Default: ${DEFAULT-VALUE}.")
                    int limit,
            @Parameters(paramLabel = "ID", description = "The id of the bulk action.") String id) {
        JsonNode bulk = session.get("bulk/" + id);
        Printer printer = session.printer();
        if (result == null) {
            printer.object(bulk, BulkFollower.COLUMNS);
            if (printer.format() != OutputFormat.TABLE) {
                return ExitCodes.DONE;
            }
        }
        Map<String, String> query = new HashMap<>();
        query.put("limit", Integer.toString(limit));
        if (result != null) {
            query.put("result", result);
        }
        JsonNode rows = session.get("bulk/" + id + "/rows", query);
        if (result == null) {
            MessagesCommand.section(printer, "Messages", rows.path("items"), ROWS);
        } else {
            printer.list(rows, "items", ROWS);
        }
        return ExitCodes.DONE;
    }

    @Command(
            name = "pause",
            description = "Stops a bulk action until it is resumed.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider bulk pause 7c1d… --execute --reason 'broker is slow'"})
    int pause(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Parameters(paramLabel = "ID", description = "The id of the bulk action.") String id) {
        return change(session, changing, id, "pause");
    }

    @Command(
            name = "resume",
            description =
                    "Goes on with a bulk action that was paused, or whose process is gone, and waits for its end.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider bulk resume 7c1d… --execute --reason 'broker is back'"})
    int resume(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Option(names = "--rate", paramLabel = "N", description = "How many messages per second at most.") @Nullable Integer rate,
            @Option(names = "--detach", description = "Does not wait for the end; a server goes on by itself.")
                    boolean detach,
            @Parameters(paramLabel = "ID", description = "The id of the bulk action.") String id) {
        if (!changing.confirmed(session, "resume bulk action " + id)) {
            session.printer().object(session.get("bulk/" + id), BulkFollower.COLUMNS);
            return ExitCodes.DONE;
        }
        return new BulkFollower(session, changing.body()).run(id, rate, detach);
    }

    @Command(
            name = "cancel",
            description = "Stops a bulk action for good. What was done stays done.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider bulk cancel 7c1d… --execute --reason 'wrong filter'"})
    int cancel(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Parameters(paramLabel = "ID", description = "The id of the bulk action.") String id) {
        return change(session, changing, id, "cancel");
    }

    private static int change(CliSession session, Changing changing, String id, String verb) {
        JsonNode bulk = changing.confirmed(session, verb + " bulk action " + id)
                ? session.post("bulk/" + id + "/" + verb, changing.body())
                : session.get("bulk/" + id);
        session.printer().object(bulk, BulkFollower.COLUMNS);
        return ExitCodes.DONE;
    }
}
