package dev.postrider.cli.command;

import dev.postrider.cli.output.Column;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Looks messages up in the inbox and decides about parked ones. */
@Command(
        name = "inbox",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = "Says whether a consumer has processed a message, and decides about parked messages.",
        footerHeading = "%nExamples:%n",
        footer = {"  postrider inbox lookup stock 4711", "  postrider inbox parked stock"})
final class InboxCommand {

    private static final List<Column> FOUND = List.of(
            Column.word("State", "state"),
            Column.text("At", "at"),
            Column.text("Attempts", "attempts"),
            Column.text("Source", "source"),
            Column.text("Error", "error"));

    private static final List<Column> PARKED = List.of(
            Column.text("Message", "messageId"),
            Column.word("State", "state"),
            Column.text("Reason", "reason"),
            Column.age("Parked for", "parkedAt"),
            Column.count("Attempts", "attempts"),
            Column.text("Topic", "topic"),
            Column.text("Type", "type"),
            Column.text("Key", "key"),
            Column.text("Error", "error"));

    private static final List<Column> RESULT = List.of(Column.count("Asked", "asked"), Column.count("Done", "done"));

    @Command(
            name = "lookup",
            description = "Says whether and when a consumer processed a message. Exit code 3 if it never saw it.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider inbox lookup stock 01976d2e-7d4a-7c10-9a39-6f1f6f8d2a11"})
    int lookup(
            @Mixin CliSession session,
            @Parameters(index = "0", paramLabel = "CONSUMER", description = "The name of the consumer.")
                    String consumer,
            @Parameters(index = "1", paramLabel = "ID", description = "The id of the message, as the consumer saw it.")
                    String id) {
        JsonNode found = there(session.get("inbox/lookup", Map.of("consumer", consumer, "id", id)));
        session.printer().object(found, FOUND);
        return ExitCodes.DONE;
    }

    @Command(
            name = "consumers",
            description = "Lists the consumers that the tables know.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider inbox consumers"})
    int consumers(@Mixin CliSession session) {
        ObjectNode answer = CliSession.body();
        ArrayNode items = answer.putArray("items");
        there(session.get("inbox/consumers"))
                .path("items")
                .forEach(name -> items.addObject().put("name", name.asString("")));
        session.print(answer, List.of(Column.text("Consumer", "name")));
        return ExitCodes.DONE;
    }

    @Command(
            name = "parked",
            description = "Lists messages that a consumer put aside after too many failures.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider inbox parked stock", "  postrider inbox parked stock --limit 200 -o json"})
    int parked(
            @Mixin CliSession session,
            @Parameters(paramLabel = "CONSUMER", description = "The name of the consumer.") String consumer,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "50",
                            description = "How many at most. Default: ${DEFAULT-VALUE}.")
                    int limit) {
        Map<String, String> query = new HashMap<>();
        query.put("limit", Integer.toString(limit));
        query.put("consumer", consumer);
        session.print(there(session.get("inbox/parked", query)), PARKED);
        return ExitCodes.DONE;
    }

    @Command(
            name = "release",
            description = "Lets parked messages be processed again.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider inbox release stock 4711 4712 --execute --reason 'fixed'"})
    int release(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Parameters(index = "0", paramLabel = "CONSUMER", description = "The name of the consumer.")
                    String consumer,
            @Parameters(index = "1..*", arity = "1..*", paramLabel = "ID", description = "The ids of messages.")
                    List<String> ids) {
        return change(session, changing, new InboxDeed("release", consumer, ids));
    }

    @Command(
            name = "discard",
            description = "Gives up parked messages: they count as processed.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider inbox discard stock 4711 --execute --reason 'test data'"})
    int discard(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Parameters(index = "0", paramLabel = "CONSUMER", description = "The name of the consumer.")
                    String consumer,
            @Parameters(index = "1..*", arity = "1..*", paramLabel = "ID", description = "The ids of messages.")
                    List<String> ids) {
        return change(session, changing, new InboxDeed("discard", consumer, ids));
    }

    private record InboxDeed(String verb, String consumer, List<String> ids) {}

    private static int change(CliSession session, Changing changing, InboxDeed deed) {
        String count = ManyMessages.messages(deed.ids().size());
        if (!changing.confirmed(session, "%s %s of consumer %s".formatted(deed.verb(), count, deed.consumer()))) {
            return ExitCodes.DONE;
        }
        ObjectNode body = changing.body().put("consumer", deed.consumer());
        ArrayNode ids = body.putArray("ids");
        deed.ids().forEach(ids::add);
        JsonNode result = there(session.post("inbox/" + deed.verb(), body));
        session.printer().object(result, RESULT);
        long done = result.path("done").asLong(0);
        if (done == result.path("asked").asLong(0)) {
            return ExitCodes.DONE;
        }
        session.note("The others are not parked any more, or unknown");
        return done == 0 ? ExitCodes.NOT_FOUND : ExitCodes.PARTLY;
    }

    private static JsonNode there(JsonNode answer) {
        if (answer.has("available") && !answer.path("available").asBoolean(true)) {
            throw new CliException(
                    ExitCodes.NOT_FOUND,
                    "This database has no inbox tables: make them with 'postrider schema migrate'");
        }
        return answer;
    }
}
