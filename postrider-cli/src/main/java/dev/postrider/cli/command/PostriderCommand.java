package dev.postrider.cli.command;

import dev.postrider.cli.link.ConsoleLink;
import dev.postrider.cli.link.LinkTarget;
import dev.postrider.cli.link.Links;
import dev.postrider.cli.run.CliEnvironment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command without a name of its own: it holds all others. Not thread-safe. */
@Command(
        name = "postrider",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = VersionText.class,
        description = "Looks after outboxes, inboxes and sagas, over a database or a Postrider server.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  postrider status --database jdbc:postgresql://localhost/shop",
            "  postrider dead groups --api http://localhost:8470",
            "  postrider dead requeue --filter 'topic:orders' --execute --reason 'INC-4711'",
            "",
            "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 partly done, 5 check not met,",
            "6 no connection, 7 not permitted, 130 interrupted."
        })
public final class PostriderCommand {

    @Mixin
    CliSession session = new CliSession();

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Shows the version.")
    boolean version;

    private final CliEnvironment environment;
    private @Nullable ConsoleLink link;

    /** Makes the command for an environment. */
    public PostriderCommand(CliEnvironment environment) {
        this.environment = environment;
    }

    CliEnvironment environment() {
        return environment;
    }

    ConsoleLink link(Supplier<LinkTarget> target) {
        ConsoleLink open = link;
        if (open == null) {
            open = Links.open(target.get(), environment.user());
            link = open;
        }
        return open;
    }

    /** Returns whether a flag before the command asks for stack traces. */
    public boolean verbose() {
        return session.output.verbose;
    }

    /** Closes the connection that the commands used. */
    public void close() {
        ConsoleLink open = link;
        link = null;
        if (open != null) {
            open.close();
        }
    }
}
