package dev.postrider.console.message;

import dev.postrider.admin.Decision;
import dev.postrider.admin.MessageEdit;
import dev.postrider.admin.OutboxAdmin;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.FieldKind;
import dev.postrider.console.route.RouteField;
import dev.postrider.console.route.RouteHandler;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** What a person does to single messages. */
final class MessageActions {

    private static final RouteField IDS = RouteField.of("ids", FieldKind.TEXTS, 1, 1_000, "The ids of the messages.")
            .mandatory();

    /** The id of the message that came of an action. */
    record NewMessage(UUID id) {}

    @FunctionalInterface
    private interface Action {

        int on(OutboxAdmin admin, Collection<UUID> ids, Decision decision);
    }

    private MessageActions() {}

    static void addTo(RouteTable table) {
        table.add(several("requeue", "Gives dead messages a new life."), action(OutboxAdmin::requeue));
        table.add(several("discard", "Moves dead messages into the archive."), action(OutboxAdmin::discard));
        table.add(several("replay", "Delivers delivered messages once more."), action(OutboxAdmin::replay));
        table.add(
                RouteSpec.post(
                                ConsoleRole.OPERATOR,
                                "/messages/{id}/edit",
                                NewMessage.class,
                                "Replaces a dead message by a corrected one in the same place of its key.")
                        .body(RouteField.of("payload", FieldKind.PAYLOAD, 0, 0, "The new payload."))
                        .body(RouteField.text("contentType", "The new media type.")
                                .upTo(200))
                        .body(RouteField.of("headers", FieldKind.TEXT_MAP, 0, 100, "All new headers."))
                        .body(RouteField.text("type", "The new type.").upTo(200))
                        .body(RouteField.integer("version", 1, Integer.MAX_VALUE, "The new version of the payload.")),
                MessageActions::edit);
        table.add(
                RouteSpec.post(
                        ConsoleRole.OPERATOR,
                        "/messages/{id}/restore",
                        NewMessage.class,
                        "Brings a discarded message back, as the last of the outbox."),
                MessageActions::restore);
    }

    private static RouteSpec several(String action, String summary) {
        return RouteSpec.post(ConsoleRole.OPERATOR, "/messages/" + action, ActionCount.class, summary)
                .body(IDS);
    }

    private static RouteHandler action(Action action) {
        return exchange -> {
            List<UUID> ids = exchange.uuids("ids").stream().distinct().toList();
            int done = action.on(exchange.source().postrider().admin(), ids, exchange.decision());
            return new ActionCount(ids.size(), done);
        };
    }

    private static Object edit(Exchange exchange) {
        MessageEdit edit = MessageEdit.create();
        edit = exchange.payload("payload").map(edit::withPayload).orElse(edit);
        edit = exchange.text("contentType").map(edit::withContentType).orElse(edit);
        edit = exchange.textMap("headers").map(edit::withHeaders).orElse(edit);
        edit = exchange.text("type").map(edit::withType).orElse(edit);
        edit = exchange.integer("version").map(edit::withVersion).orElse(edit);
        return new NewMessage(
                exchange.source().postrider().deadMessages().edit(exchange.id(), edit, exchange.decision()));
    }

    private static Object restore(Exchange exchange) {
        exchange.source().postrider().deadMessages().restore(exchange.id(), exchange.decision());
        return new NewMessage(exchange.id());
    }
}
