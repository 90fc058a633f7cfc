package dev.postrider.server;

import dev.postrider.cli.PostriderCli;
import dev.postrider.server.dev.DevCommand;

/** The main class of the distribution. Nothing of Spring is loaded before a command needs it. */
public final class PostriderMain {

    private PostriderMain() {}

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(PostriderCli.commandLine(new DevCommand(), new PasswordCommand(), new RelayCommand())
                .execute(arguments));
    }
}
