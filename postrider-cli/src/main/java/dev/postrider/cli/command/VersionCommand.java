package dev.postrider.cli.command;

import dev.postrider.cli.output.Column;
import dev.postrider.cli.run.ExitCodes;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows versions. */
@Command(
        name = "version",
        description = "Shows the version of this program and of Java.",
        footerHeading = "%nExamples:%n",
        footer = {"  postrider version", "  postrider version -o json"})
final class VersionCommand implements Callable<Integer> {

    private static final List<Column> COLUMNS =
            List.of(Column.text("Postrider", "version"), Column.text("Java", "java"), Column.text("System", "system"));

    @Mixin
    CliSession session = new CliSession();

    @Override
    public Integer call() {
        session.printer()
                .object(
                        CliSession.body()
                                .put("version", VersionText.version())
                                .put("java", System.getProperty("java.version", "unknown"))
                                .put(
                                        "system",
                                        System.getProperty("os.name", "unknown") + " "
                                                + System.getProperty("os.arch", "")),
                        COLUMNS);
        return ExitCodes.DONE;
    }
}
