package dev.postrider.cli.command;

import static dev.postrider.cli.output.Column.age;
import static dev.postrider.cli.output.Column.count;
import static dev.postrider.cli.output.Column.length;
import static dev.postrider.cli.output.Column.text;
import static dev.postrider.cli.output.Column.word;

import dev.postrider.cli.output.Ages;
import dev.postrider.cli.output.Column;
import dev.postrider.cli.output.OutputFormat;
import dev.postrider.cli.output.Printer;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** One line about the whole, the figures behind it, and a check for scripts. */
@Command(
        name = "status",
        description = {
            "Says how delivery goes: one sentence and the figures behind it.",
            "With --max-age it is a check for cron, Nagios or Kubernetes: exit code 5 if the oldest message that is due"
                    + " waits longer."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  postrider status",
            "  postrider status --max-age 60s",
            "  postrider status -o json | jq .cards.dead.value"
        })
final class StatusCommand implements Callable<Integer> {

    static final List<Column> CARDS = List.of(
            length("Oldest pending", "oldestPendingMillis"),
            count("Pending", "pending"),
            count("Waiting", "waiting"),
            count("Retrying", "retrying"),
            count("Dead", "dead"),
            count("Blocked keys", "blockedKeys"),
            count("Relays", "relays"),
            count("Unowned shards", "unownedShards"),
            count("Stored/s", "inPerSecond"),
            count("Delivered/s", "outPerSecond"));

    static final List<Column> EXACT = List.of(
            word("Verdict", "verdict.code"),
            word("State", "verdict.state"),
            text("Oldest pending", "cards.oldestPendingMillis"),
            count("Pending", "cards.pending"),
            count("Waiting", "cards.waiting"),
            count("Dead", "cards.dead"),
            count("Blocked keys", "cards.blockedKeys"),
            count("Relays", "cards.relays"),
            count("Unowned shards", "cards.unownedShards"),
            count("Stored/s", "cards.inPerSecond"),
            count("Delivered/s", "cards.outPerSecond"));

    static final List<Column> FAILURES = List.of(
            count("Dead", "count"),
            text("Topic", "topic"),
            text("Type", "type"),
            text("Failure", "failure"),
            age("Last", "last"));

    @Mixin
    CliSession session = new CliSession();

    @Option(
            names = "--max-age",
            paramLabel = "LENGTH",
            converter = LengthOfTime.class,
            description = "The longest that a message may be due, such as 60s, 5m or 1h.")
    @Nullable Duration maxAge;

    @Override
    public Integer call() {
        JsonNode overview = session.get("overview");
        print(overview);
        return maxAge == null ? ExitCodes.DONE : checked(overview, maxAge);
    }

    private void print(JsonNode overview) {
        Printer printer = session.printer();
        if (printer.format() != OutputFormat.TABLE) {
            printer.object(overview, EXACT);
            return;
        }
        printer.line(sentence(overview, printer));
        printer.object(overview.path("cards"), CARDS);
        List<JsonNode> failures = overview.path("failures").valueStream().toList();
        if (!failures.isEmpty()) {
            printer.line("");
            printer.table(failures, FAILURES);
        }
        overview.path("changes").forEach(change -> printer.line(Column.printable(change.asString(""))));
    }

    static String sentence(JsonNode overview, Printer printer) {
        JsonNode verdict = overview.path("verdict");
        return printer.paint()
                .word(
                        verdict.path("state").asString(""),
                        Column.printable(verdict.path("sentence").asString("")));
    }

    private int checked(JsonNode overview, Duration longest) {
        String code = overview.path("verdict").path("code").asString("");
        if (code.equals("database-unreachable")) {
            throw new CliException(
                    ExitCodes.NO_CONNECTION, "The server does not reach its database, so the age is unknown");
        }
        Duration oldest = Duration.ofMillis(
                overview.path("cards").path("oldestPendingMillis").asLong(0));
        if (oldest.compareTo(longest) > 0) {
            session.note("The oldest message is due for %s, which is longer than %s"
                    .formatted(Ages.of(oldest), Ages.of(longest)));
            return ExitCodes.NOT_MET;
        }
        return ExitCodes.DONE;
    }
}
