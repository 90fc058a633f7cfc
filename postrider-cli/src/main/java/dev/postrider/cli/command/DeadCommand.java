package dev.postrider.cli.command;

import dev.postrider.cli.output.Column;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** Decides about messages that were given up. */
@Command(
        name = "dead",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = "Decides about dead messages: what failed, send again, edit, discard, bring back.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  postrider dead groups",
            "  postrider dead requeue --filter 'topic:orders failure:timeout' --execute --reason 'INC-4711'"
        })
final class DeadCommand {

    static final List<Column> GROUPS = List.of(
            Column.count("Count", "count"),
            Column.text("Namespace", "namespace"),
            Column.text("Topic", "topic"),
            Column.text("Type", "type"),
            Column.text("Failure", "failure"),
            Column.age("First", "first"),
            Column.age("Last", "last"),
            Column.text("Sample", "sample.id"),
            Column.text("Error", "sample.error"));

    private static final List<Column> NEW = List.of(Column.text("Id", "id"));

    @Command(
            name = "groups",
            description = "Groups dead messages by namespace, topic, type and failure; the largest group comes first.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider dead groups", "  postrider dead groups --filter 'topic:orders died:<1h' -o json"})
    int groups(@Mixin CliSession session, @Mixin Choice choice) {
        Map<String, String> query = choice.query();
        query.put("limit", Integer.toString(Math.min(500, choice.limit(session))));
        session.print(session.get("dead/groups", query), GROUPS);
        return 0;
    }

    @Command(
            name = "list",
            description = "Lists dead messages, the latest death first.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider dead list", "  postrider dead list --filter 'failure:timeout' -o jsonl"})
    int list(@Mixin CliSession session, @Mixin Choice choice) {
        Map<String, String> query = choice.query();
        query.put("filter", Choice.inState("dead", choice.filter));
        session.print(session.list("messages", query, choice.limit(session)), MessagesCommand.COLUMNS);
        return 0;
    }

    @Command(
            name = "show",
            description = "Shows a dead message with its attempts and its payload.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider dead show 01976d2e-7d4a-7c10-9a39-6f1f6f8d2a11"})
    int show(
            @Mixin CliSession session, @Parameters(paramLabel = "ID", description = "The id of the message.") UUID id) {
        return new MessagesCommand().show(session, id, false, false);
    }

    @Command(
            name = "requeue",
            description = {
                "Sends dead messages again: by id, or all of a filter.",
                "Without --execute it says what it would do. With a filter the selection is frozen and counted first."
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  postrider dead requeue 01976d2e-7d4a-7c10-9a39-6f1f6f8d2a11 --execute --reason 'fixed'",
                "  postrider dead requeue --filter 'topic:orders'",
                "  postrider dead requeue --filter 'topic:orders' --rate 50 --execute --reason 'INC-4711'"
            })
    int requeue(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Mixin ManyMessages many,
            @Parameters(paramLabel = "ID", arity = "0..*", description = "The ids of messages.") @Nullable List<UUID> ids) {
        return many.change(session, changing, new ManyMessages.Deed("requeue", "dead"), ids);
    }

    @Command(
            name = "discard",
            description = {
                "Moves dead messages to the archive: by id, or all of a filter. They are not sent any more.",
                "Messages of the same key that waited behind them go on."
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  postrider dead discard 01976d2e-7d4a-7c10-9a39-6f1f6f8d2a11 --execute --reason 'test data'",
                "  postrider dead discard --filter 'type:demo died:>30d' --execute --reason 'clean-up'"
            })
    int discard(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Mixin ManyMessages many,
            @Parameters(paramLabel = "ID", arity = "0..*", description = "The ids of messages.") @Nullable List<UUID> ids) {
        return many.change(session, changing, new ManyMessages.Deed("discard", "dead"), ids);
    }

    @Command(
            name = "edit",
            description = {
                "Replaces payload, headers, type or version of a dead message and sends it again under a new id.",
                "The original goes to the archive."
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  postrider messages show 01976d2e-7d4a-7c10-9a39-6f1f6f8d2a11 --payload > order.json",
                "  postrider dead edit 01976d2e-7d4a-7c10-9a39-6f1f6f8d2a11 --payload-file order.json \\",
                "    --execute --reason 'amount was negative'"
            })
    int edit(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Mixin NewContent content,
            @Parameters(paramLabel = "ID", description = "The id of the message.") UUID id) {
        ObjectNode edit = content.body(session);
        if (!changing.confirmed(
                session,
                "replace %s of message %s and send it again".formatted(String.join(", ", edit.propertyNames()), id))) {
            session.get("messages/" + id);
            return ExitCodes.DONE;
        }
        edit.setAll(changing.body());
        session.printer().object(session.post("messages/" + id + "/edit", edit), NEW);
        return ExitCodes.DONE;
    }

    @Command(
            name = "export",
            description = "Writes dead messages as lines of JSON or CSV, at most 10,000 at a time.",
            footerHeading = "%nExamples:%n",
            footer = {
                "  postrider dead export > dead.jsonl",
                "  postrider dead export --filter 'topic:orders' --csv --to dead.csv",
                "  postrider dead export --payload --to dead-with-payload.jsonl"
            })
    int export(
            @Mixin CliSession session,
            @Option(
                            names = {"-f", "--filter"},
                            paramLabel = "FILTER",
                            description = "Which ones, as for 'messages list'.")
                    @Nullable String filter,
            @Option(
                            names = "--max",
                            paramLabel = "N",
                            defaultValue = "10000",
                            description = "How many at most. Default: ${DEFAULT-VALUE}.")
                    int max,
            @Option(names = "--csv", description = "Writes CSV instead of lines of JSON.") boolean csv,
            @Option(names = "--payload", description = "Writes the payloads, too.") boolean payload,
            @Option(names = "--to", paramLabel = "FILE", description = "A new file instead of the standard output.")
                    @Nullable Path to) {
        Map<String, String> query = new HashMap<>();
        query.put("filter", Choice.inState("dead", filter));
        query.put("max", Integer.toString(max));
        query.put("format", csv ? "csv" : "jsonl");
        if (payload) {
            query.put("payload", "true");
        }
        if (to == null) {
            session.download("messages/export", query, session.environment().data());
            return ExitCodes.DONE;
        }
        try (OutputStream file = Files.newOutputStream(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            session.download("messages/export", query, file);
        } catch (IOException e) {
            throw new CliException(
                    ExitCodes.FAILED, "Could not write the new file %s: %s".formatted(to, e.getMessage()), e);
        }
        return ExitCodes.DONE;
    }

    @Command(
            name = "restore",
            description = {
                "Brings a discarded message back from the archive. It is pending again, behind everything else."
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  postrider dead restore 01976d2e-7d4a-7c10-9a39-6f1f6f8d2a11 --execute --reason 'needed after all'"
            })
    int restore(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Parameters(paramLabel = "ID", description = "The id of the message.") UUID id) {
        if (!changing.confirmed(session, "bring message %s back from the archive".formatted(id))) {
            return ExitCodes.DONE;
        }
        session.printer().object(session.post("messages/" + id + "/restore", changing.body()), NEW);
        return ExitCodes.DONE;
    }
}
