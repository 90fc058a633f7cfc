package dev.postrider.cli.command;

import dev.postrider.cli.run.CliEnvironment;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/** Puts the commands together, and turns every failure into one line and an exit code. */
public final class CommandTree {

    private CommandTree() {}

    /** Returns the command line with all commands. */
    public static CommandLine commandLine(CliEnvironment environment, Object... extraCommands) {
        PostriderCommand root = new PostriderCommand(environment);
        CommandLine line = new CommandLine(root);
        all().forEach(line::addSubcommand);
        Arrays.stream(extraCommands).forEach(line::addSubcommand);
        line.setOut(new PrintWriter(environment.data(), false, StandardCharsets.UTF_8));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setUsageHelpAutoWidth(false);
        line.setUsageHelpWidth(width(environment));
        boolean plain = !environment.terminal() || environment.variable("NO_COLOR") != null;
        line.setColorScheme(CommandLine.Help.defaultColorScheme(plain ? Ansi.OFF : Ansi.ON));
        line.setExecutionStrategy(parsed -> run(root, parsed));
        line.setExecutionExceptionHandler((e, command, parsed) -> failed(e, command, wantsTrace(parsed)));
        line.setParameterExceptionHandler((e, arguments) -> wrong(e));
        return line;
    }

    private static List<Object> all() {
        return List.of(
                new StatusCommand(),
                new TopCommand(),
                new DoctorCommand(),
                new MessagesCommand(),
                new DeadCommand(),
                new BulkCommand(),
                new RelaysCommand(),
                new TopicsCommand(),
                new SagasCommand(),
                new InboxCommand(),
                new AuditCommand(),
                new SchemaCommand(),
                new OpsCommand(),
                new ConfigCommand(),
                new ContextCommand(),
                new CompletionCommand(),
                new VersionCommand());
    }

    private static int width(CliEnvironment environment) {
        return environment.columns() == 0 ? 100 : Math.max(80, Math.min(120, environment.columns()));
    }

    private static int run(PostriderCommand root, ParseResult parsed) {
        try {
            return new RunLast().execute(parsed);
        } finally {
            root.close();
        }
    }

    private static boolean wantsTrace(ParseResult parsed) {
        return parsed.originalArgs().contains("--verbose");
    }

    private static int failed(Exception e, CommandLine command, boolean trace) {
        if (trace) {
            e.printStackTrace(command.getErr());
        }
        if (e instanceof CliException known) {
            say(command, String.valueOf(known.getMessage()));
            return known.exitCode();
        }
        if (e instanceof ParameterException wrong) {
            return wrong(wrong);
        }
        say(
                command,
                "%s: %s. This is an error of Postrider; --verbose shows where"
                        .formatted(e.getClass().getSimpleName(), e.getMessage()));
        return ExitCodes.FAILED;
    }

    private static int wrong(ParameterException e) {
        CommandLine command = e.getCommandLine();
        say(command, String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        if (e instanceof UnmatchedArgumentException unmatched) {
            List<String> near = unmatched.getSuggestions().stream().limit(3).toList();
            if (!near.isEmpty()) {
                command.getErr().println("Did you mean: " + String.join(", ", near) + "?");
            }
        }
        command.getErr()
                .println("See '%s --help'".formatted(command.getCommandSpec().qualifiedName()));
        command.getErr().flush();
        return ExitCodes.USAGE;
    }

    private static void say(CommandLine command, String line) {
        command.getErr().println("postrider: " + line);
        command.getErr().flush();
    }
}
