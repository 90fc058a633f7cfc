package dev.postrider.cli.command;

import dev.postrider.cli.link.LinkTarget;
import dev.postrider.cli.output.Column;
import dev.postrider.cli.run.ExitCodes;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Explains settings and where they come from. */
@Command(
        name = "config",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = "Explains which settings are in effect and where each comes from.",
        footerHeading = "%nExamples:%n",
        footer = {"  postrider config explain", "  postrider config explain --local"})
final class ConfigCommand {

    private static final List<Column> COLUMNS =
            List.of(Column.text("Name", "name"), Column.text("Value", "value"), Column.text("Origin", "origin"));

    @Command(
            name = "explain",
            description = {
                "Shows what this command line connects to and why, then the settings of the server.",
                "Passwords and tokens are never shown."
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  postrider config explain",
                "  postrider config explain --context prod --local",
                "  postrider config explain -o json"
            })
    int explain(
            @Mixin CliSession session,
            @Option(names = "--local", description = "Connects to nothing: only what this command line would use.")
                    boolean local) {
        ObjectNode answer = CliSession.body();
        ArrayNode items = answer.putArray("items");
        LinkTarget target = session.target();
        boolean database = target.kind() == LinkTarget.Kind.DATABASE;
        add(items, database ? "database" : "api", target.shownUrl(), target.origin());
        add(items, "user", Objects.requireNonNullElse(target.user(), ""), target.origin());
        String secret = target.bearer() ? "token" : "password";
        add(items, secret, !target.signsIn() ? "" : "••••", target.origin());
        add(items, "schema", Objects.requireNonNullElse(target.schema(), ""), target.origin());
        if (!database) {
            add(items, "source", Objects.requireNonNullElse(target.source(), "(the only one)"), target.origin());
        }
        if (!local) {
            for (JsonNode setting : session.get("settings").path("settings")) {
                items.add(setting);
            }
        }
        session.print(answer, COLUMNS);
        return ExitCodes.DONE;
    }

    private static void add(ArrayNode items, String name, String value, String origin) {
        if (!value.isEmpty()) {
            items.addObject().put("name", name).put("value", value).put("origin", origin);
        }
    }
}
