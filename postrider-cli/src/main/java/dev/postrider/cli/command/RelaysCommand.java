package dev.postrider.cli.command;

import dev.postrider.cli.output.Column;
import dev.postrider.cli.output.OutputFormat;
import dev.postrider.cli.output.Printer;
import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Lists relays and tells them to pause, go on or drain. */
@Command(
        name = "relays",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        description = "Lists relays and their shards, and tells relays to pause, go on or drain.",
        footerHeading = "%nExamples:%n",
        footer = {"  postrider relays list", "  postrider relays drain r-2 --execute --reason 'new version'"})
final class RelaysCommand {

    static final List<Column> COLUMNS = List.of(
            Column.text("Id", "id"),
            Column.word("State", "state"),
            Column.word("Wanted", "wanted"),
            Column.text("Alive", "alive"),
            Column.text("Host", "host"),
            Column.text("Version", "version"),
            Column.age("Joined", "joined"),
            Column.text("Shards", "shards"),
            Column.count("In flight", "inFlight"),
            Column.count("Delivered", "delivered"),
            Column.count("Failed", "failed"),
            Column.text("Last error", "lastError"));

    @Command(
            name = "list",
            description = "Lists relays with their shards.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider relays list", "  postrider relays list -o yaml"})
    int list(@Mixin CliSession session) {
        JsonNode answer = session.get("relays");
        Printer printer = session.printer();
        printer.list(answer, "items", COLUMNS);
        long unowned = answer.path("shards")
                .valueStream()
                .filter(shard -> shard.path("owner").asString("").isEmpty())
                .count();
        if (unowned > 0 && printer.format() == OutputFormat.TABLE) {
            session.note("%d of %d shards have no relay"
                    .formatted(unowned, answer.path("shards").size()));
        }
        return ExitCodes.DONE;
    }

    @Command(
            name = "pause",
            description = "Tells a relay, or all of them, to send nothing until it is resumed.",
            footerHeading = "%nExamples:%n",
            footer = {
                "  postrider relays pause r-2 --execute --reason 'slow disk'",
                "  postrider relays pause --all --execute --reason 'broker is moved'"
            })
    int pause(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Option(names = "--all", description = "All relays.") boolean all,
            @Parameters(paramLabel = "RELAY", arity = "0..1", description = "The id of the relay.") @Nullable String id) {
        return order(session, changing, new RelayTask("pause", all, id));
    }

    @Command(
            name = "resume",
            description = "Tells a relay, or all of them, to go on.",
            footerHeading = "%nExamples:%n",
            footer = {
                "  postrider relays resume r-2 --execute --reason 'disk replaced'",
                "  postrider relays resume --all --execute --reason 'broker is back'"
            })
    int resume(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Option(names = "--all", description = "All relays.") boolean all,
            @Parameters(paramLabel = "RELAY", arity = "0..1", description = "The id of the relay.") @Nullable String id) {
        return order(session, changing, new RelayTask("resume", all, id));
    }

    @Command(
            name = "drain",
            description = "Tells a relay, or all of them, to finish what is in flight and hand over its shards.",
            footerHeading = "%nExamples:%n",
            footer = {"  postrider relays drain r-2 --execute --reason 'new version'"})
    int drain(
            @Mixin CliSession session,
            @Mixin Changing changing,
            @Option(names = "--all", description = "All relays.") boolean all,
            @Parameters(paramLabel = "RELAY", arity = "0..1", description = "The id of the relay.") @Nullable String id) {
        return order(session, changing, new RelayTask("drain", all, id));
    }

    private record RelayTask(
            String verb, boolean all, @Nullable String id) {}

    private static int order(CliSession session, Changing changing, RelayTask order) {
        if (order.all() == (order.id() != null)) {
            throw session.usage("Give either a relay or --all");
        }
        JsonNode relays = session.get("relays");
        String id = order.id();
        if (id != null
                && relays.path("items")
                        .valueStream()
                        .noneMatch(r -> r.path("id").asString("").equals(id))) {
            throw new CliException(ExitCodes.NOT_FOUND, "There is no relay '%s'".formatted(id));
        }
        String what = id == null
                ? "%s all %d relays"
                        .formatted(order.verb(), relays.path("items").size())
                : "%s relay %s".formatted(order.verb(), id);
        if (changing.confirmed(session, what)) {
            session.post(id == null ? "relays/" + order.verb() : "relays/" + id + "/" + order.verb(), changing.body());
            relays = session.get("relays");
        }
        session.print(relays, COLUMNS);
        return ExitCodes.DONE;
    }
}
