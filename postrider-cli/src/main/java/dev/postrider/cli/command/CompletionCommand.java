package dev.postrider.cli.command;

import dev.postrider.cli.run.ExitCodes;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints the completion script of the shells. */
@Command(
        name = "completion",
        description = "Prints a script with which bash and zsh complete commands and flags.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(postrider completion)",
            "  postrider completion > /etc/bash_completion.d/postrider",
        })
final class CompletionCommand implements Callable<Integer> {

    @Mixin
    CliSession session = new CliSession();

    @Override
    public Integer call() {
        session.out()
                .print(AutoComplete.bash("postrider", session.command.root().commandLine()));
        session.out().flush();
        return ExitCodes.DONE;
    }
}
