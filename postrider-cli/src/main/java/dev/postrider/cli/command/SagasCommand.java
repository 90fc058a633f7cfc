package dev.postrider.cli.command;

import dev.postrider.cli.output.Column;
import dev.postrider.cli.output.OutputFormat;
import dev.postrider.cli.output.Printer;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Lists and shows sagas and decides about those that are stuck. */
@Command(
        name = "sagas",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = "Lists and shows sagas and decides about those that are stuck.",
        footerHeading = "%nExamples:%n",
        footer = {"  postrider sagas list --status RUNNING --unchanged 10m", "  postrider sagas graph 7c1d…"})
final class SagasCommand {

    private static final List<Column> COLUMNS = List.of(
            Column.text("Id", "id"),
            Column.text("Definition", "definition"),
            Column.text("Version", "version"),
            Column.text("Business key", "businessKey"),
            Column.word("Status", "status"),
            Column.age("Age", "created"),
            Column.age("Unchanged for", "updated"),
            Column.text("Failed step", "failure.step"),
            Column.text("Failure", "failure.message"));

    private static final List<Column> JOURNAL = List.of(
            Column.text("Step", "step"),
            Column.text("Direction", "direction"),
            Column.word("Status", "status"),
            Column.count("Attempts", "attempts"),
            Column.text("Started", "started"),
            Column.text("Finished", "finished"),
            Column.text("Error", "error"));

    @Command(
            name = "list",
            description = "Lists sagas, the latest first.",
            footerHeading = "%nExamples:%n",
            footer = {
                "  postrider sagas list",
                "  postrider sagas list --definition order --status COMPENSATING",
                "  postrider sagas list --unchanged 1h -o json"
            })
    int list(
            @Mixin CliSession session,
            @Option(names = "--definition", paramLabel = "NAME", description = "Only sagas of this definition.")
                    @Nullable String definition,
            @Option(names = "--status", paramLabel = "STATUS", description = "Only sagas in this status.") @Nullable String status,
            @Option(
                            names = "--unchanged",
                            paramLabel = "LENGTH",
                            converter = LengthOfTime.class,
                            description = "Only sagas that have not changed for so long.")
                    @Nullable Duration unchanged,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "50",
                            description = "How many at most. Default: ${DEFAULT-VALUE}.")
                    int limit,
            @Option(names = "--cursor", paramLabel = "CURSOR", description = "Goes on where an earlier list ended.")
                    @Nullable String cursor) {
        Map<String, String> query = new HashMap<>();
        if (cursor != null) {
            query.put("cursor", cursor);
        }
        if (definition != null) {
            query.put("definition", definition);
        }
        if (status != null) {
            query.put("status", status.toUpperCase(Locale.ROOT));
        }
        if (unchanged != null) {
            query.put("unchangedMillis", Long.toString(unchanged.toMillis()));
        }
        session.print(there(session.list("sagas", query, limit)), COLUMNS);
        return ExitCodes.DONE;
    }

    @Command(
            name = "show",
            description = "Shows a saga with its journal and the decisions about it.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider sagas show 7c1d…", "  postrider sagas show 7c1d… -o yaml"})
    int show(@Mixin CliSession session, @Parameters(paramLabel = "ID", description = "The id of the saga.") String id) {
        JsonNode saga = there(session.get("sagas/" + id));
        Printer printer = session.printer();
        printer.object(saga, COLUMNS);
        if (printer.format() == OutputFormat.TABLE) {
            MessagesCommand.section(printer, "Journal", saga.path("journal"), JOURNAL);
            MessagesCommand.section(printer, "Decisions", saga.path("audit"), AuditCommand.COLUMNS);
        }
        return ExitCodes.DONE;
    }

    @Command(
            name = "graph",
            description = {
                "Draws the steps of a saga with their states, forwards and back.",
                "--as dot writes the language of Graphviz, --as mermaid that of Mermaid."
            },
            footerHeading = "%nExamples:%n",
            footer = {"  postrider sagas graph 7c1d…", "  postrider sagas graph 7c1d… --as dot | dot -Tsvg > saga.svg"})
    int graph(
            @Mixin CliSession session,
            @Option(
                            names = "--as",
                            paramLabel = "FORM",
                            defaultValue = "text",
                            description = "text, dot or mermaid. Default: ${DEFAULT-VALUE}.")
                    SagaGraphText.GraphLanguage form,
            @Parameters(paramLabel = "ID", description = "The id of the saga.") String id) {
        JsonNode saga = there(session.get("sagas/" + id));
        new SagaGraphText(saga.path("graph"), session.paint()).lines(form).forEach(session.out()::println);
        session.out().flush();
        return ExitCodes.DONE;
    }

    @Command(
            name = "retry",
            description = "Runs the step again at which a saga waits.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider sagas retry 7c1d… --execute --reason 'stock is back'"})
    int retry(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Parameters(paramLabel = "ID", description = "The id of the saga.") String id) {
        return change(session, changing, new Ruling("retry", id, null));
    }

    @Command(
            name = "skip",
            description = "Lets a saga go on without a step. Nothing undoes the step later.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider sagas skip 7c1d… --step charge --execute --reason 'charged by hand'"})
    int skip(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Option(names = "--step", paramLabel = "STEP", required = true, description = "The step to go on without.")
                    String step,
            @Parameters(paramLabel = "ID", description = "The id of the saga.") String id) {
        return change(session, changing, new Ruling("skip", id, step));
    }

    @Command(
            name = "compensate",
            description = "Turns a saga back: the steps that are done are compensated.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider sagas compensate 7c1d… --execute --reason 'customer cancelled'"})
    int compensate(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Parameters(paramLabel = "ID", description = "The id of the saga.") String id) {
        return change(session, changing, new Ruling("compensate", id, null));
    }

    @Command(
            name = "cancel",
            description = "Ends a saga as it is. Nothing is compensated.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider sagas cancel 7c1d… --execute --reason 'cleaned up by hand'"})
    int cancel(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Parameters(paramLabel = "ID", description = "The id of the saga.") String id) {
        return change(session, changing, new Ruling("cancel", id, null));
    }

    private record Ruling(String verb, String id, @Nullable String step) {}

    private static int change(CliSession session, Changing changing, Ruling ruling) {
        JsonNode before = there(session.get("sagas/" + ruling.id()));
        if (changing.confirmed(session, "%s saga %s".formatted(ruling.verb(), ruling.id()))) {
            ObjectNode body = changing.body();
            if (ruling.step() != null) {
                body.put("step", ruling.step());
            }
            session.post("sagas/" + ruling.id() + "/" + ruling.verb(), body);
            before = session.get("sagas/" + ruling.id());
        }
        session.printer().object(before, COLUMNS);
        return ExitCodes.DONE;
    }

    private static JsonNode there(JsonNode answer) {
        if (answer.has("available") && !answer.path("available").asBoolean(true)) {
            throw new CliException(
                    ExitCodes.NOT_FOUND, "This database has no saga tables: make them with 'postrider schema migrate'");
        }
        return answer;
    }
}
