package dev.postrider.cli.command;

import dev.postrider.cli.output.Column;
import dev.postrider.cli.output.OutputFormat;
import dev.postrider.cli.output.Printer;
import dev.postrider.cli.run.ExitCodes;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Checks the set-up and says what each finding means. */
@Command(
        name = "doctor",
        description = {
            "Checks database, tables, settings and relays. Each finding says what it means and what to do.",
            "Exit code 5 if a finding is bad, with --strict also if one is a warning."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  postrider doctor",
            "  postrider doctor --strict -o json",
            "  postrider doctor --all --database jdbc:postgresql://localhost/shop"
        })
final class DoctorCommand implements Callable<Integer> {

    private static final List<Column> FINDINGS = List.of(
            Column.word("Level", "level"),
            Column.text("Check", "check"),
            Column.text("Found", "found"),
            Column.text("Means", "means"),
            Column.text("Do", "do"));

    @Mixin
    CliSession session = new CliSession();

    @Option(names = "--strict", description = "A warning also ends with exit code 5.")
    boolean strict;

    @Option(names = "--all", description = "Explains the checks that passed, too.")
    boolean all;

    @Override
    public Integer call() {
        JsonNode answer = session.get("doctor");
        Printer printer = session.printer();
        if (printer.format() == OutputFormat.TABLE) {
            answer.path("findings").forEach(finding -> write(printer, finding));
        } else {
            printer.list(answer, "findings", FINDINGS);
        }
        boolean bad = has(answer, "bad") || (strict && has(answer, "warn"));
        return bad ? ExitCodes.NOT_MET : ExitCodes.DONE;
    }

    private void write(Printer printer, JsonNode finding) {
        String level = text(finding, "level");
        printer.line("%s %s: %s"
                .formatted(
                        printer.paint().word(level, "%-7s".formatted(level)),
                        text(finding, "check"),
                        text(finding, "found")));
        boolean explain = all || level.equals("bad") || level.equals("warn");
        for (String field : List.of("means", "do")) {
            if (explain && !text(finding, field).isEmpty()) {
                printer.line("        " + text(finding, field));
            }
        }
    }

    private static boolean has(JsonNode answer, String level) {
        return answer.path("findings")
                .valueStream()
                .anyMatch(f -> text(f, "level").equals(level));
    }

    private static String text(JsonNode finding, String field) {
        return Column.printable(finding.path(field).asString(""));
    }
}
