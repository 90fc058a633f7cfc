package dev.postrider.server;

import dev.postrider.server.dev.DevCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The main class of the distribution. Nothing of Spring is loaded before a command needs it. */
@Command(name = "postrider", description = "Relays outbox messages.", mixinStandardHelpOptions = true)
public final class PostriderMain {

    private PostriderMain() {}

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new PostriderMain())
                .addSubcommand(new DevCommand())
                .addSubcommand(new RelayCommand())
                .execute(arguments));
    }
}
