package dev.postrider.cli.command;

import dev.postrider.cli.link.LinkTarget;
import dev.postrider.cli.link.NamedContexts;
import dev.postrider.cli.output.Column;
import dev.postrider.cli.run.ExitCodes;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Lists and chooses contexts. */
@Command(
        name = "context",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = {
            "Lists and chooses contexts: names for databases and servers.",
            "They stand in ~/.config/postrider/config.yml, and in a file .postrider.yml of the project:",
            "",
            "  current: local",
            "  contexts:",
            "    local:",
            "      database: jdbc:postgresql://localhost/shop",
            "      user: shop",
            "      password-env: POSTRIDER_SHOP_PASSWORD",
            "    prod:",
            "      api: https://postrider.example.com",
            "      token-file: ~/.config/postrider/prod.token",
            "",
            "A flag comes before the environment, the environment before the project, the project before the user."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  postrider context list", "  postrider context use prod"})
final class ContextCommand {

    private static final List<Column> COLUMNS = List.of(
            Column.text("Current", "current"),
            Column.text("Name", "name"),
            Column.text("Target", "target"),
            Column.text("File", "file"));

    private static final List<Column> DETAIL = List.of(
            Column.text("Name", "name"),
            Column.text("Kind", "kind"),
            Column.text("Target", "target"),
            Column.text("User", "user"),
            Column.text("Source", "source"),
            Column.text("Secret", "secret"),
            Column.text("Origin", "origin"));

    @Command(
            name = "list",
            description = "Lists the contexts of the project and of the user.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider context list", "  postrider context list -o json"})
    int list(@Mixin CliSession session) {
        ObjectNode answer = CliSession.body();
        ArrayNode items = answer.putArray("items");
        for (NamedContexts.Listed context : session.contexts().list()) {
            items.addObject()
                    .put("current", context.current() ? "*" : "")
                    .put("name", context.name())
                    .put("target", context.target())
                    .put("file", context.file());
        }
        session.print(answer, COLUMNS);
        return ExitCodes.DONE;
    }

    @Command(
            name = "use",
            description = "Makes a context the one that commands use without a flag.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider context use prod"})
    int use(
            @Mixin CliSession session,
            @Parameters(paramLabel = "NAME", description = "The name of the context.") String name) {
        session.note("Context '%s' is written as current into %s"
                .formatted(name, session.contexts().use(name)));
        return ExitCodes.DONE;
    }

    @Command(
            name = "show",
            description = "Shows a context without its secrets.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider context show prod"})
    int show(
            @Mixin CliSession session,
            @Parameters(paramLabel = "NAME", description = "The name of the context.") String name) {
        LinkTarget target = session.contexts().named(name);
        ObjectNode answer = CliSession.body()
                .put("name", name)
                .put("kind", target.kind() == LinkTarget.Kind.API ? "server" : "database")
                .put("target", target.shownUrl())
                .put("secret", !target.signsIn() ? "none" : target.bearer() ? "token" : "password")
                .put("origin", target.origin());
        if (target.user() != null) {
            answer.put("user", target.user());
        }
        if (target.source() != null) {
            answer.put("source", target.source());
        }
        session.printer().object(answer, DETAIL);
        return ExitCodes.DONE;
    }
}
