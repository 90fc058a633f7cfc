package dev.postrider.console.inbox;

import dev.postrider.admin.Decision;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.message.ActionCount;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.FieldKind;
import dev.postrider.console.route.RouteField;
import dev.postrider.console.route.RouteHandler;
import dev.postrider.console.route.RouteProblem;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import dev.postrider.database.SchemaVersionException;
import dev.postrider.inbox.InboxAdmin;
import dev.postrider.inbox.InboxEntry;
import dev.postrider.inbox.ParkReason;
import dev.postrider.inbox.ParkedMessage;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows what consumers did about messages, and decides about parked ones. */
public final class InboxRoutes {

    private static final int MOST_CONSUMERS = 500;

    private static final RouteField CONSUMER =
            RouteField.text("consumer", "The consumer.").upTo(100).mandatory();
    private static final RouteField IDS = RouteField.of("ids", FieldKind.TEXTS, 1, 1_000, "The ids of the messages.")
            .mandatory();

    /** The answer where there are no inbox tables. */
    record Missing(boolean available) {}

    /** The consumers that the tables know. */
    record Consumers(boolean available, List<String> items) {}

    /** What a consumer did about a message. */
    record LookedUp(
            InboxEntry.State state,
            Instant at,
            int attempts,
            @Nullable String source,
            @Nullable String error) {}

    /** Parked messages of a consumer. */
    record ParkedPage(
            boolean available,
            List<ParkedView> items,
            @Nullable Long next) {}

    /** A parked message. */
    record ParkedView(
            long place,
            String messageId,
            InboxEntry.State state,
            ParkReason reason,
            int attempts,
            Instant parkedAt,
            @Nullable String error,
            String topic,
            @Nullable String key,
            @Nullable String type,
            @Nullable String source,
            int payloadBytes) {

        static ParkedView of(ParkedMessage parked) {
            return new ParkedView(
                    parked.place(),
                    parked.messageId(),
                    parked.state(),
                    parked.reason(),
                    parked.attempts(),
                    parked.parkedAt(),
                    parked.error(),
                    parked.message().topic(),
                    parked.message().key().orElse(null),
                    parked.message().type().orElse(null),
                    parked.message().source().orElse(null),
                    parked.message().payload().length);
        }
    }

    @FunctionalInterface
    private interface InboxAction {

        int on(InboxAdmin admin, String consumer, Collection<String> ids, Decision decision);
    }

    private InboxRoutes() {}

    /** Adds the routes. */
    public static void addTo(RouteTable table) {
        table.add(
                RouteSpec.get(ConsoleRole.VIEWER, "/inbox/consumers", Consumers.class, "Lists consumers by name."),
                optional(InboxRoutes::consumers));
        table.add(
                RouteSpec.get(
                                ConsoleRole.VIEWER,
                                "/inbox/lookup",
                                LookedUp.class,
                                "Shows what a consumer did about a message.")
                        .query(CONSUMER)
                        .query(RouteField.text("id", "The id of the message.").mandatory()),
                optional(InboxRoutes::lookup));
        table.add(
                RouteSpec.get(
                                ConsoleRole.VIEWER,
                                "/inbox/parked",
                                ParkedPage.class,
                                "Lists parked messages, oldest first.")
                        .query(CONSUMER)
                        .query(RouteField.integer("after", 0, Long.MAX_VALUE, "The value of next of the page before."))
                        .query(RouteField.integer("limit", 1, 500, "How many at most. Default 50.")),
                optional(InboxRoutes::parked));
        table.add(decide("release", "Lets a consumer try parked messages again."), action(InboxAdmin::release));
        table.add(decide("discard", "Gives parked messages up."), action(InboxAdmin::discard));
    }

    private static RouteSpec decide(String verb, String summary) {
        return RouteSpec.post(ConsoleRole.OPERATOR, "/inbox/" + verb, ActionCount.class, summary)
                .body(CONSUMER)
                .body(IDS);
    }

    private static RouteHandler action(InboxAction action) {
        return exchange -> {
            List<String> ids = exchange.texts("ids").stream().distinct().toList();
            int done =
                    action.on(exchange.source().inboxAdmin(), exchange.required("consumer"), ids, exchange.decision());
            return new ActionCount(ids.size(), done);
        };
    }

    // Not every source has consumers, so missing tables are an answer and no error.
    private static RouteHandler optional(RouteHandler handler) {
        return exchange -> {
            try {
                return handler.handle(exchange);
            } catch (SchemaVersionException e) {
                if (e.missing()) {
                    return new Missing(false);
                }
                throw e;
            }
        };
    }

    private static Object consumers(Exchange exchange) {
        return new Consumers(true, exchange.source().inboxAdmin().consumers(MOST_CONSUMERS));
    }

    private static Object lookup(Exchange exchange) {
        InboxEntry entry = exchange.source()
                .inboxAdmin()
                .lookup(exchange.required("consumer"), exchange.required("id"))
                .orElseThrow(() -> RouteProblem.notFound(
                        "The consumer has never seen this message, or has forgotten it by now",
                        "Check the id, and the consumer by GET inbox/consumers."));
        return new LookedUp(entry.state(), entry.at(), entry.attempts(), entry.source(), entry.error());
    }

    private static Object parked(Exchange exchange) {
        List<ParkedMessage> parked = exchange.source()
                .inboxAdmin()
                .parked(exchange.required("consumer"), exchange.number("after").orElse(0L), exchange.limit());
        Long next = parked.size() < exchange.limit()
                ? null
                : (Long) parked.get(parked.size() - 1).place();
        return new ParkedPage(true, parked.stream().map(ParkedView::of).toList(), next);
    }
}
