package dev.postrider.cli.command;

import dev.postrider.cli.output.Column;
import dev.postrider.cli.output.OutputFormat;
import dev.postrider.cli.output.Paint;
import dev.postrider.cli.output.Printer;
import dev.postrider.cli.run.CliEnvironment;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Shows live figures on a terminal. */
@Command(
        name = "top",
        description = {
            "Shows live figures, relays and topics on the terminal. q ends it.",
            "Without a terminal, or with --once, it writes one picture."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  postrider top", "  postrider top --every 5s", "  postrider top --once > picture.txt"})
final class TopCommand implements Callable<Integer> {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss 'UTC'").withZone(ZoneOffset.UTC);

    private static final List<Column> RELAYS = List.of(
            Column.text("Relay", "id"),
            Column.word("State", "state"),
            Column.text("Alive", "alive"),
            Column.text("Host", "host"),
            Column.text("Shards", "shards"),
            Column.count("In flight", "inFlight"),
            Column.count("Delivered", "delivered"),
            Column.count("Failed", "failed"));

    private static final List<Column> TOPICS = List.of(
            Column.text("Namespace", "namespace"),
            Column.text("Topic", "topic"),
            Column.word("Gate", "gate"),
            Column.text("Paused", "paused"),
            Column.count("Pending", "pending"),
            Column.count("Dead", "dead"),
            Column.count("Out/s", "outPerSecond"),
            Column.count("Failed/s", "failedPerSecond"),
            Column.text("Last error", "lastError"));

    @Mixin
    CliSession session = new CliSession();

    @Option(names = "--once", description = "Writes one picture and ends.")
    boolean once;

    @Option(
            names = "--every",
            paramLabel = "LENGTH",
            converter = LengthOfTime.class,
            defaultValue = "1s",
            description = "How often to look. Default: ${DEFAULT-VALUE}.")
    Duration every = Duration.ofSeconds(1);

    @Override
    public Integer call() throws InterruptedException {
        if (once || !session.environment().terminal()) {
            picture(session.environment().columns()).forEach(session.out()::println);
            session.out().flush();
            return ExitCodes.DONE;
        }
        session.link();
        try (LiveScreen screen = LiveScreen.open(session.environment())) {
            do {
                screen.show(safePicture(screen.columns()));
            } while (!screen.quitWithin(every));
        }
        return ExitCodes.DONE;
    }

    /** A server that is away for a moment does not end the view. */
    private List<String> safePicture(int columns) {
        try {
            return picture(columns);
        } catch (CliException e) {
            return List.of(new Paint(true).word("bad", String.valueOf(e.getMessage())), "", "Looking again… q ends.");
        }
    }

    private List<String> picture(int columns) {
        CliEnvironment environment = session.environment();
        Printer printer = new Printer(OutputFormat.TABLE, session.out(), session.paint(), columns, environment.clock());
        JsonNode overview = session.get("overview");
        List<String> lines = new ArrayList<>();
        lines.add(
                printer.paint().bold("postrider top") + "  " + session.target().shownUrl() + "  "
                        + TIME.format(environment.clock().instant()));
        lines.add(StatusCommand.sentence(overview, printer));
        lines.add("");
        lines.addAll(printer.lines(List.of(overview.path("cards")), StatusCommand.CARDS));
        add(lines, printer, new Pane(session.get("relays").path("items"), RELAYS));
        add(lines, printer, new Pane(session.get("topics").path("items"), TOPICS));
        add(lines, printer, new Pane(overview.path("failures"), StatusCommand.FAILURES));
        return lines;
    }

    private record Pane(JsonNode rows, List<Column> columns) {}

    private static void add(List<String> lines, Printer printer, Pane pane) {
        if (!pane.rows().isEmpty()) {
            lines.add("");
            lines.addAll(printer.lines(pane.rows().valueStream().toList(), pane.columns()));
        }
    }
}
