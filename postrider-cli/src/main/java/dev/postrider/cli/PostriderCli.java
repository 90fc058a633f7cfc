package dev.postrider.cli;

import dev.postrider.cli.command.CommandTree;
import dev.postrider.cli.run.CliEnvironment;
import picocli.CommandLine;

/**
 * The command line {@code postrider}.
 *
 * <p>A program with commands of its own, such as a server, adds them to {@link #commandLine}.
 */
public final class PostriderCli {

    private PostriderCli() {}

    /**
     * Returns the command line with these commands in addition. It exits with the codes that {@code postrider --help}
     * lists.
     */
    public static CommandLine commandLine(Object... extraCommands) {
        return commandLine(CliEnvironment.ofProcess(), extraCommands);
    }

    /** Returns the command line for an environment. */
    public static CommandLine commandLine(CliEnvironment environment, Object... extraCommands) {
        return CommandTree.commandLine(environment, extraCommands);
    }

    /** Runs a command. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }
}
