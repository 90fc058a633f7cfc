package dev.postrider.cli.command;

import dev.postrider.cli.output.Column;
import dev.postrider.cli.output.OutputFormat;
import dev.postrider.cli.output.Printer;
import dev.postrider.cli.run.ExitCodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The flags of a change of many messages, by their ids or by a filter. */
final class ManyMessages {

    private static final int MOST_IDS = 1_000;
    private static final int LOOKED_UP = 20;
    private static final List<Column> RESULT = List.of(Column.count("Asked", "asked"), Column.count("Done", "done"));

    @Option(
            names = {"-f", "--filter"},
            paramLabel = "FILTER",
            description = "All messages of this filter, as for 'messages list'.")
    @Nullable String filter;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Refuses to change anything if the filter finds more. Default: ${DEFAULT-VALUE}.")
    long limit = 10_000;

    @Option(names = "--rate", paramLabel = "N", description = "How many messages per second at most.")
    @Nullable Integer rate;

    @Option(names = "--yes", description = "Does not ask, although a person is there and the change is large.")
    boolean yes;

    @Option(names = "--detach", description = "Does not wait for the end; a server goes on by itself.")
    boolean detach;

    /**
     * What is done with the messages.
     *
     * @param verb the action of the API
     * @param state the state that the messages have, in lower case
     */
    record Deed(String verb, String state) {}

    int change(CliSession session, Changing changing, Deed deed, @Nullable List<UUID> ids) {
        List<UUID> some = ids == null ? List.of() : ids;
        if (some.isEmpty() == (filter == null)) {
            throw session.usage("Give either ids or --filter");
        }
        return some.isEmpty() ? byFilter(session, changing, deed) : byIds(session, changing, deed, some);
    }

    private int byIds(CliSession session, Changing changing, Deed deed, List<UUID> ids) {
        if (ids.size() > MOST_IDS) {
            throw session.usage("At most %,d ids at a time; use --filter".formatted(MOST_IDS));
        }
        if (!changing.confirmed(session, "%s %s".formatted(deed.verb(), messages(ids.size())))) {
            List<JsonNode> found = new ArrayList<>();
            ids.stream().limit(LOOKED_UP).forEach(id -> found.add(session.get("messages/" + id)));
            ObjectNode answer = CliSession.body();
            answer.putArray("items").addAll(found);
            session.print(answer, MessagesCommand.COLUMNS);
            return ExitCodes.DONE;
        }
        ObjectNode body = changing.body();
        ArrayNode texts = body.putArray("ids");
        ids.forEach(id -> texts.add(id.toString()));
        JsonNode result = session.post("messages/" + deed.verb(), body);
        session.printer().object(result, RESULT);
        long missed = result.path("asked").asLong(0) - result.path("done").asLong(0);
        if (missed == 0) {
            return ExitCodes.DONE;
        }
        session.note("%s %s left alone: not %s any more, or unknown"
                .formatted(messages(missed), missed == 1 ? "was" : "were", deed.state()));
        return result.path("done").asLong(0) == 0 ? ExitCodes.NOT_FOUND : ExitCodes.PARTLY;
    }

    private int byFilter(CliSession session, Changing changing, Deed deed) {
        String selected = Choice.inState(deed.state(), filter);
        if (!changing.execute) {
            preview(session, deed, selected);
            changing.confirmed(session, "%s these messages".formatted(deed.verb()));
            return ExitCodes.DONE;
        }
        changing.confirmed(session, deed.verb());
        ObjectNode body = changing.body().put("action", deed.verb()).put("filter", selected);
        BulkFollower runner = new BulkFollower(session, changing.body());
        JsonNode bulk = runner.prepare(body);
        runner.requireFew(bulk, limit, yes);
        return runner.run(bulk.path("id").asString(""), rate, detach);
    }

    private static void preview(CliSession session, Deed deed, String selected) {
        if (deed.state().equals("dead")) {
            JsonNode groups = session.get("dead/groups", Map.of("filter", selected, "limit", "500"));
            session.print(groups, DeadCommand.GROUPS);
            long count = 0;
            boolean atLeast = false;
            for (JsonNode group : groups.path("items")) {
                JsonNode number = group.path("count");
                count += number.isObject() ? number.path("value").asLong(0) : number.asLong(0);
                atLeast |=
                        group.path("atLeast").asBoolean(number.path("atLeast").asBoolean(false));
            }
            session.note("%s%s".formatted(atLeast ? "At least " : "", messages(count)));
            return;
        }
        Printer printer = session.printer();
        JsonNode page = session.get("messages", Map.of("filter", selected, "limit", "50"));
        printer.list(page, "items", MessagesCommand.COLUMNS);
        if (printer.format() == OutputFormat.TABLE && page.has("next")) {
            session.note("These are the first; there are more");
        }
    }

    static String messages(long count) {
        return count == 1 ? "1 message" : String.format(Locale.ROOT, "%,d messages", count);
    }
}
