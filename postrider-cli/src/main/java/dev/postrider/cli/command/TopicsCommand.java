package dev.postrider.cli.command;

import dev.postrider.cli.output.Column;
import dev.postrider.cli.run.ExitCodes;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** Lists topics, stops and resumes them, and shows blocked keys. */
@Command(
        name = "topics",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = "Lists topics, stops and resumes their delivery, and shows the keys that are blocked.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  postrider topics list",
            "  postrider topics pause shop/orders --execute --reason 'tax service is down'"
        })
final class TopicsCommand {

    private static final List<Column> COLUMNS = List.of(
            Column.text("Namespace", "namespace"),
            Column.text("Topic", "topic"),
            Column.word("Gate", "gate"),
            Column.age("Closed for", "closedSince"),
            Column.text("Paused", "paused"),
            Column.text("Paused by", "pausedBy"),
            Column.count("Pending", "pending"),
            Column.count("Dead", "dead"),
            Column.count("Out/s", "outPerSecond"),
            Column.count("Failed/s", "failedPerSecond"),
            Column.text("Route", "route"),
            Column.text("Last error", "lastError"));

    private static final List<Column> BLOCKED = List.of(
            Column.text("Namespace", "namespace"),
            Column.text("Topic", "topic"),
            Column.text("Key", "key"),
            Column.count("Waiting", "waiting"),
            Column.word("Status", "status"),
            Column.text("Blocked by", "blockedBy"),
            Column.text("Error", "error"));

    @Command(
            name = "list",
            description = "Lists topics with their backlog; a closed gate means that the topic cannot be reached.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider topics list", "  postrider topics list -o csv"})
    int list(@Mixin CliSession session) {
        session.print(session.get("topics"), COLUMNS);
        return ExitCodes.DONE;
    }

    @Command(
            name = "blocked",
            description = "Lists the keys whose messages wait behind a message that failed.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider topics blocked", "  postrider topics blocked --limit 500 -o json"})
    int blocked(
            @Mixin CliSession session,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "50",
                            description = "How many keys at most. Default: ${DEFAULT-VALUE}.")
                    int limit) {
        session.print(session.get("keys/blocked", Map.of("limit", Integer.toString(limit))), BLOCKED);
        return ExitCodes.DONE;
    }

    @Command(
            name = "pause",
            description = "Stops the delivery of a topic. Its messages wait; other topics go on.",
            footerHeading = "%nExamples:%n",
            footer = {
                "  postrider topics pause orders --execute --reason 'INC-4711'",
                "  postrider topics pause shop/orders --execute --reason 'INC-4711'"
            })
    int pause(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Parameters(
                            paramLabel = "TOPIC",
                            description = "The topic; 'namespace/topic' outside the default namespace.")
                    String topic) {
        return change(session, changing, topic, "pause");
    }

    @Command(
            name = "resume",
            description = "Goes on with the delivery of a topic that was paused.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider topics resume shop/orders --execute --reason 'tax service is back'"})
    int resume(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Parameters(
                            paramLabel = "TOPIC",
                            description = "The topic; 'namespace/topic' outside the default namespace.")
                    String topic) {
        return change(session, changing, topic, "resume");
    }

    private static int change(CliSession session, Changing changing, String topic, String verb) {
        if (changing.confirmed(session, "%s topic %s".formatted(verb, topic))) {
            int slash = topic.indexOf('/');
            ObjectNode body = changing.body()
                    .put("namespace", slash < 0 ? "default" : topic.substring(0, slash))
                    .put("topic", topic.substring(slash + 1));
            session.post("topics/" + verb, body);
        }
        session.print(session.get("topics"), COLUMNS);
        return ExitCodes.DONE;
    }
}
