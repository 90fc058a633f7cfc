package dev.postrider.console.message;

import dev.postrider.OutboxMessage;
import dev.postrider.admin.ArchivedMessage;
import dev.postrider.admin.AuditFilter;
import dev.postrider.admin.DeadMessages;
import dev.postrider.admin.Neighbours;
import dev.postrider.admin.Page;
import dev.postrider.admin.Slice;
import dev.postrider.admin.StoredMessage;
import dev.postrider.all.Postrider;
import dev.postrider.console.Attachment;
import dev.postrider.console.ConsoleResponse;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.filter.FilterGrammar;
import dev.postrider.console.filter.MessageQuery;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.ProblemCode;
import dev.postrider.console.route.RouteProblem;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds messages and shows everything about one. */
public final class MessageRoutes {

    private static final int MOST_ENTRIES = 100;
    private static final int NEIGHBOURS = 10;

    /** A part of a search. */
    record MessagePage(List<MessageView> items, @Nullable String next, String searched) {}

    /** The messages around a message; the flags tell whether more were looked for than these. */
    record NeighbourView(
            List<MessageView> before,
            boolean allBefore,
            List<MessageView> after,
            boolean allAfter,
            @Nullable UUID blockedBy) {}

    private MessageRoutes() {}

    /** Adds the routes. */
    public static void addTo(RouteTable table) {
        table.add(
                RouteSpec.get(ConsoleRole.VIEWER, "/messages", MessagePage.class, "Searches messages by a filter.")
                        .query(MessageSource.FILTER)
                        .paged(),
                MessageRoutes::list);
        table.add(
                RouteSpec.get(
                        ConsoleRole.VIEWER,
                        "/messages/{id}",
                        MessageDetail.class,
                        "Shows a message with payload, attempts, audit trail and what the archive has of it."),
                MessageRoutes::show);
        table.add(
                RouteSpec.get(
                        ConsoleRole.VIEWER,
                        "/messages/{id}/payload",
                        Attachment.class,
                        "Downloads the payload as it is."),
                MessageRoutes::payload);
        table.add(
                RouteSpec.get(
                        ConsoleRole.VIEWER,
                        "/messages/{id}/neighbours",
                        NeighbourView.class,
                        "Shows the messages around a message of the same key, and the one that holds the key."),
                MessageRoutes::neighbours);
        MessageExport.addTo(table);
        MessageActions.addTo(table);
    }

    private static Object list(Exchange exchange) {
        MessageQuery query = MessageSource.query(exchange);
        Page page = exchange.page();
        Slice<StoredMessage> slice = MessageSource.search(exchange.source(), query, page);
        return new MessagePage(views(slice.items()), slice.cursor(), searched(query, page));
    }

    private static String searched(MessageQuery query, Page page) {
        String filter = FilterGrammar.render(query);
        return "%s, %s first"
                .formatted(
                        filter.isEmpty() ? "all messages" : filter,
                        page.order() == Page.Order.NEWEST_FIRST ? "newest" : "oldest");
    }

    private static Object show(Exchange exchange) {
        Postrider postrider = exchange.source().postrider();
        UUID id = exchange.id();
        StoredMessage stored = find(exchange);
        return new MessageDetail(
                MessageView.of(stored),
                PayloadView.of(stored.message().payload()),
                stored.message().headers(),
                postrider.admin().attempts(id).stream().map(AttemptView::of).toList(),
                postrider.deadMessages().audit(AuditFilter.ofMessage(id), Page.newest(MOST_ENTRIES)).items().stream()
                        .map(AuditView::of)
                        .toList(),
                archived(postrider.deadMessages().archived(id)));
    }

    private static Object payload(Exchange exchange) {
        OutboxMessage message = find(exchange).message();
        byte[] payload = message.payload();
        return ConsoleResponse.download(
                "application/octet-stream", new Attachment(message.id() + ".payload", out -> out.write(payload)));
    }

    private static Object neighbours(Exchange exchange) {
        UUID id = exchange.id();
        DeadMessages messages = exchange.source().postrider().deadMessages();
        Neighbours found = messages.neighbours(id, NEIGHBOURS).orElseThrow(() -> gone(id, messages.archived(id)));
        return new NeighbourView(
                views(found.before()), found.allBefore(), views(found.after()), found.allAfter(), found.blockedBy());
    }

    private static List<MessageView> views(List<StoredMessage> messages) {
        return messages.stream().map(MessageView::of).toList();
    }

    /** Returns the message of the path; a problem says whether the archive has it. */
    static StoredMessage find(Exchange exchange) {
        Postrider postrider = exchange.source().postrider();
        UUID id = exchange.id();
        return postrider
                .admin()
                .find(id)
                .orElseThrow(() -> gone(id, postrider.deadMessages().archived(id)));
    }

    private static RouteProblem gone(UUID id, List<ArchivedMessage> archived) {
        Map<String, Object> details = new LinkedHashMap<>();
        if (archived.isEmpty()) {
            return RouteProblem.notFound(
                    "There is no message %s in the outbox or its archive".formatted(id),
                    "Delivered messages are removed after their retention; look in the audit trail.");
        }
        details.put("archived", archived(archived));
        return new RouteProblem(
                ProblemCode.NOT_FOUND,
                "Message %s has left the outbox: %s"
                        .formatted(id, archived.get(0).ended()),
                "The archive has it; a discarded message can be restored.",
                details);
    }

    private static List<ArchivedView> archived(List<ArchivedMessage> archived) {
        return archived.stream().map(ArchivedView::of).toList();
    }
}
