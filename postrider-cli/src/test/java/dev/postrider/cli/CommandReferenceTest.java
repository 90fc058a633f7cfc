package dev.postrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Compares the reference in docs/cli.md with the commands, or writes it for {@code ./scripts/cli-reference}. */
final class CommandReferenceTest {

    private static final Path PAGE = Path.of("../docs/cli.md");
    private static final String MARK = "<!-- The rest is written by ./scripts/cli-reference. -->\n";
    private static final Set<String> EVERYWHERE = Set.of(
            "--help",
            "--context",
            "--database",
            "--api",
            "--user",
            "--source",
            "--schema",
            "--output",
            "--no-color",
            "--verbose",
            "--version");

    @Test
    void referenceIsThatOfTheCommands() throws IOException {
        String page = Files.readString(PAGE);
        String expected = page.substring(0, page.indexOf(MARK) + MARK.length()) + reference();
        if (System.getenv("POSTRIDER_WRITE_REFERENCE") != null) {
            Files.writeString(PAGE, expected);
        }

        assertThat(Files.readString(PAGE))
                .as("docs/cli.md is out of date: run ./scripts/cli-reference")
                .isEqualTo(expected);
    }

    private static String reference() {
        CommandLine root =
                PostriderCli.commandLine(CliRun.environment(Map.of(), CliRun.NOWHERE, new ByteArrayOutputStream()));
        StringBuilder text = new StringBuilder("\n## Every command\n");
        text.append("\nFlags of every command\n\n").append(options(root.getCommandSpec(), true));
        leaves(root).forEach(spec -> section(text, spec));
        return text.toString();
    }

    private static List<CommandSpec> leaves(CommandLine line) {
        List<CommandSpec> leaves = new ArrayList<>();
        for (CommandLine each : line.getSubcommands().values()) {
            if (each.getSubcommands().isEmpty()) {
                leaves.add(each.getCommandSpec());
            } else {
                leaves.addAll(leaves(each));
            }
        }
        return leaves;
    }

    private static void section(StringBuilder text, CommandSpec spec) {
        text.append("\n### ").append(spec.qualifiedName()).append("\n\n");
        text.append(escaped(String.join(" ", spec.usageMessage().description())))
                .append("\n\n```sh\n");
        for (String line : spec.usageMessage().footer()) {
            text.append(line.replaceFirst("^ {2}", "")).append('\n');
        }
        text.append("```\n");
        String options = options(spec, false);
        if (!options.isEmpty()) {
            text.append('\n').append(options);
        }
    }

    private static String options(CommandSpec spec, boolean common) {
        StringBuilder rows = new StringBuilder();
        if (!common) {
            for (PositionalParamSpec each : spec.positionalParameters()) {
                row(rows, each.paramLabel(), each.description(), each.defaultValue());
            }
        }
        spec.options().stream()
                .filter(each -> EVERYWHERE.contains(each.longestName()) == common)
                .sorted(Comparator.comparing(OptionSpec::longestName))
                .forEach(each -> {
                    String label = each.arity().max() == 0 ? "" : " " + each.paramLabel();
                    row(rows, String.join(", ", each.names()) + label, each.description(), each.defaultValue());
                });
        return rows.isEmpty() ? "" : "| flag | meaning |\n|---|---|\n" + rows;
    }

    private static void row(StringBuilder rows, String name, String[] description, String value) {
        String text = String.join(" ", description)
                .replace("${DEFAULT-VALUE}", String.valueOf(value))
                .replace("${COMPLETION-CANDIDATES}", "table, json, jsonl, yaml, csv");
        rows.append("| `").append(name).append("` | ").append(escaped(text)).append(" |\n");
    }

    private static String escaped(String text) {
        return text.replace("|", "\\|").replace("%n", " ").replace("<", "&lt;").replace("%%", "%");
    }
}
