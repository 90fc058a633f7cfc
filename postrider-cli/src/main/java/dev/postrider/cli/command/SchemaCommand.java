package dev.postrider.cli.command;

import dev.postrider.cli.link.LinkTarget;
import dev.postrider.cli.link.Links;
import dev.postrider.cli.link.SchemaLink;
import dev.postrider.cli.output.Column;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes, prints and checks the tables. */
@Command(
        name = "schema",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = "Makes, prints and checks the tables of outbox, inbox and sagas.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  postrider schema validate --database jdbc:postgresql://localhost/shop",
            "  postrider schema sql > postrider.sql"
        })
final class SchemaCommand {

    private static final List<Column> PARTS = List.of(
            Column.text("Part", "part"), Column.text("Version", "version"), Column.text("Expected", "expected"));

    private static final List<Column> TABLES =
            List.of(Column.text("Table", "name"), Column.count("Rows", "rows"), Column.count("Bytes", "bytes"));

    @Command(
            name = "sql",
            description = "Prints the SQL that makes all tables from nothing, for the product of this database.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider schema sql --database jdbc:postgresql://localhost/shop > postrider.sql"})
    int sql(@Mixin CliSession session) {
        try (SchemaLink schema = Links.schema(database(session), false)) {
            session.out().println(schema.sql());
            session.out().flush();
        }
        return ExitCodes.DONE;
    }

    @Command(
            name = "migrate",
            description = "Creates or upgrades the tables. Any number of processes may do it at once.",
            footerHeading = "%nExamples:%n",
            footer = {
                "  postrider schema migrate --database jdbc:postgresql://localhost/shop",
                "  postrider schema migrate --execute --database jdbc:postgresql://localhost/shop"
            })
    int migrate(
            @Mixin CliSession session,
            @Option(names = "--execute", description = "Does it. Without this flag the command says what it would do.")
                    boolean execute) {
        try (SchemaLink schema = Links.schema(database(session), execute)) {
            String misfit = schema.misfit();
            if (misfit == null) {
                session.note("The tables fit; there is nothing to do");
            } else if (execute) {
                schema.migrate();
                session.note("The tables of outbox, inbox and sagas are up to date");
            } else {
                session.note("Would create or upgrade the tables. " + Column.printable(misfit));
                session.note("Nothing was changed; add --execute to do it. 'postrider schema sql' prints the SQL.");
            }
        }
        return ExitCodes.DONE;
    }

    @Command(
            name = "validate",
            description = "Checks that the tables exist and fit this version. Exit code 5 if not.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider schema validate --database jdbc:postgresql://localhost/shop"})
    int validate(@Mixin CliSession session) {
        try (SchemaLink schema = Links.schema(database(session), false)) {
            String misfit = schema.misfit();
            session.note(misfit == null ? "The tables fit" : Column.printable(misfit));
            return misfit == null ? ExitCodes.DONE : ExitCodes.NOT_MET;
        }
    }

    @Command(
            name = "info",
            description = "Shows the version of the tables, and the size of each.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider schema info", "  postrider schema info -o json"})
    int info(@Mixin CliSession session) {
        JsonNode settings = session.get("settings");
        ObjectNode answer = CliSession.body();
        answer.set("schema", settings.path("schema"));
        answer.set("tables", settings.path("tables"));
        session.printer().list(answer, "schema", PARTS);
        MessagesCommand.section(session.printer(), "Tables", quiet(session, settings.path("tables")), TABLES);
        return ExitCodes.DONE;
    }

    /** The second list is for people only: JSON and YAML have it already, CSV holds one list. */
    private static JsonNode quiet(CliSession session, JsonNode rows) {
        return session.printer().format() == dev.postrider.cli.output.OutputFormat.TABLE
                ? rows
                : CliSession.body().putArray("none");
    }

    private static LinkTarget database(CliSession session) {
        LinkTarget target = session.target();
        if (target.kind() == LinkTarget.Kind.API) {
            throw new CliException(
                    ExitCodes.USAGE,
                    "This command works on the database itself: give --database, or a context with one");
        }
        return target;
    }
}
