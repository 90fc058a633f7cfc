package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Looks at every command that there is, so that a new one cannot be without help. */
final class CommandTreeTest {

    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    private static final CommandLine ROOT =
            PostriderCli.commandLine(CliRun.environment(Map.of(), CliRun.NOWHERE, new ByteArrayOutputStream()));

    static Stream<String> commands() {
        return all(ROOT).map(line -> line.getCommandSpec().qualifiedName());
    }

    static Stream<String> examples() {
        return all(ROOT).flatMap(line -> examplesOf(line.getCommandSpec()).stream());
    }

    private static Stream<CommandLine> all(CommandLine line) {
        return Stream.concat(
                Stream.of(line), line.getSubcommands().values().stream().flatMap(CommandTreeTest::all));
    }

    private static CommandSpec spec(String name) {
        return all(ROOT)
                .map(CommandLine::getCommandSpec)
                .filter(each -> each.qualifiedName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> examplesOf(CommandSpec spec) {
        String text = String.join("\n", spec.usageMessage().footer()).replace("\\\n", " ");
        return text.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("postrider "))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void commandHasDescriptionAndExample(String name) {
        CommandSpec spec = spec(name);

        assertThat(spec.usageMessage().description()).isNotEmpty();
        assertThat(examplesOf(spec)).isNotEmpty();
        assertThat(spec.optionsMap()).containsKey("--help");
        for (OptionSpec option : spec.options()) {
            assertThat(option.description()).as(option.longestName()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpIsWrittenToTheStandardOutputWithExitCodeZero(String name) {
        List<String> arguments = new ArrayList<>(Arrays.asList(name.split(" ", -1)));
        arguments.remove(0);
        arguments.add("--help");

        CliRun run = CliRun.of(arguments.toArray(String[]::new));

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("Usage: " + name).contains("Examples:");
        assertThat(run.err()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void exampleIsAValidCommandLine(String example) {
        String command = example.split(" [|>] | \\|\\| ", -1)[0].replaceFirst("^source <\\((.*)\\)$", "$1");
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(command);
        while (matcher.find()) {
            words.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
        }
        words.remove(0);

        assertThat(ROOT.parseArgs(words.toArray(String[]::new)).hasSubcommand()).isTrue();
    }

    @Test
    void commandsOfTheServerAreAdded() {
        CommandLine line = PostriderCli.commandLine(new Extra());

        assertThat(line.getSubcommands()).containsKeys("extra", "status");
    }

    @CommandLine.Command(name = "extra", description = "A command of another program.")
    static final class Extra {}
}
