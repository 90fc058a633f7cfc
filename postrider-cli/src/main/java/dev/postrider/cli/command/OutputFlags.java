package dev.postrider.cli.command;

import dev.postrider.cli.output.OutputFormat;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that say how a command writes its answer. */
final class OutputFlags {

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "How the answer is written: ${COMPLETION-CANDIDATES}. Default: table.")
    @Nullable OutputFormat format;

    @Option(names = "--no-color", description = "Writes no colours; NO_COLOR does the same.")
    boolean plain;

    @Option(names = "--verbose", description = "Shows the stack trace of an error.")
    boolean verbose;
}
