package dev.postrider.console.message;

import dev.postrider.admin.BulkAction;
import dev.postrider.admin.BulkActions;
import dev.postrider.admin.BulkOptions;
import dev.postrider.admin.BulkPlan;
import dev.postrider.admin.BulkProgress;
import dev.postrider.admin.BulkResult;
import dev.postrider.admin.BulkRow;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.RouteField;
import dev.postrider.console.route.RouteProblem;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Actions on many messages: a frozen selection is shown first, then run, paused or cancelled. */
public final class BulkRoutes {

    private static final int MOST_ROWS = 500;

    private final BulkRunner runner;

    /** Bulk actions, the newest first. */
    record BulkList(List<BulkView> items) {}

    /** What became of messages of a bulk action. */
    record BulkRowPage(List<BulkRowView> items, @Nullable Long next) {}

    /** What became of one message. */
    record BulkRowView(
            long seq,
            UUID messageId,
            BulkResult result,
            @Nullable String error) {

        static BulkRowView of(BulkRow row) {
            return new BulkRowView(row.seq(), row.messageId(), row.result(), row.error());
        }
    }

    /** Takes what runs the actions. */
    public BulkRoutes(BulkRunner runner) {
        this.runner = Objects.requireNonNull(runner, "runner");
    }

    /** Adds the routes. */
    public void addTo(RouteTable table) {
        table.add(
                RouteSpec.post(
                                ConsoleRole.OPERATOR,
                                "/bulk",
                                BulkView.class,
                                "Freezes a selection and counts it; nothing is changed yet.")
                        .body(RouteField.word("action", List.of("requeue", "discard", "replay"), "What is to be done.")
                                .mandatory())
                        .body(MessageSource.SELECTION),
                BulkRoutes::prepare);
        table.add(
                RouteSpec.ask(
                                ConsoleRole.OPERATOR,
                                "/bulk/{id}/run",
                                BulkView.class,
                                "Runs a prepared or paused action in the background.")
                        .body(RouteField.integer("rate", 1, 1_000_000, "How many messages a second at most."))
                        .body(RouteField.integer("batchSize", 1, 5_000, "How many messages one transaction changes."))
                        .status(202),
                this::run);
        table.add(
                RouteSpec.post(ConsoleRole.OPERATOR, "/bulk/{id}/pause", BulkView.class, "Stops an action for now."),
                BulkRoutes::pause);
        table.add(
                RouteSpec.post(ConsoleRole.OPERATOR, "/bulk/{id}/cancel", BulkView.class, "Stops an action for good."),
                BulkRoutes::cancel);
        table.add(
                RouteSpec.get(ConsoleRole.VIEWER, "/bulk", BulkList.class, "Lists bulk actions, the newest first.")
                        .query(RouteField.integer("limit", 1, MOST_ROWS, "How many at most. Default 50.")),
                BulkRoutes::list);
        table.add(
                RouteSpec.get(ConsoleRole.VIEWER, "/bulk/{id}", BulkView.class, "Shows how far a bulk action is."),
                BulkRoutes::show);
        table.add(
                RouteSpec.get(
                                ConsoleRole.VIEWER,
                                "/bulk/{id}/rows",
                                BulkRowPage.class,
                                "Lists what became of the messages of a bulk action.")
                        .query(RouteField.word("result", List.of("done", "skipped", "failed"), "Only this result."))
                        .query(RouteField.integer("after", 0, Long.MAX_VALUE, "The value of next of the page before."))
                        .query(RouteField.integer("limit", 1, MOST_ROWS, "How many at most. Default 50.")),
                BulkRoutes::rows);
    }

    private static BulkActions actions(Exchange exchange) {
        return exchange.source().postrider().bulkActions();
    }

    private static Object prepare(Exchange exchange) {
        BulkAction action = BulkAction.valueOf(exchange.required("action").toUpperCase(Locale.ROOT));
        BulkPlan plan = actions(exchange).prepare(action, MessageSource.filter(exchange), exchange.decision());
        return BulkView.of(progress(actions(exchange), plan.id()), plan.samples());
    }

    private Object run(Exchange exchange) {
        BulkActions actions = actions(exchange);
        UUID id = exchange.id();
        progress(actions, id);
        BulkOptions options =
                BulkOptions.defaults().withRate(exchange.integer("rate").orElse(null));
        options = exchange.integer("batchSize").map(options::withBatchSize).orElse(options);
        runner.run(actions, id, options);
        return BulkView.of(progress(actions, id));
    }

    private static Object pause(Exchange exchange) {
        progress(actions(exchange), exchange.id());
        return BulkView.of(actions(exchange).pause(exchange.id(), exchange.decision()));
    }

    private static Object cancel(Exchange exchange) {
        progress(actions(exchange), exchange.id());
        return BulkView.of(actions(exchange).cancel(exchange.id(), exchange.decision()));
    }

    private static Object list(Exchange exchange) {
        return new BulkList(actions(exchange).list(exchange.limit()).stream()
                .map(BulkView::of)
                .toList());
    }

    private static Object show(Exchange exchange) {
        return BulkView.of(progress(actions(exchange), exchange.id()));
    }

    private static Object rows(Exchange exchange) {
        progress(actions(exchange), exchange.id());
        BulkResult result = exchange.text("result")
                .map(word -> BulkResult.valueOf(word.toUpperCase(Locale.ROOT)))
                .orElse(null);
        List<BulkRow> rows = actions(exchange)
                .rows(exchange.id(), result, exchange.number("after").orElse(0L), exchange.limit());
        Long next = rows.size() < exchange.limit()
                ? null
                : rows.get(rows.size() - 1).seq();
        return new BulkRowPage(rows.stream().map(BulkRowView::of).toList(), next);
    }

    private static BulkProgress progress(BulkActions actions, UUID id) {
        return actions.progress(id)
                .orElseThrow(() -> RouteProblem.notFound(
                        "There is no bulk action %s".formatted(id), "GET bulk lists the actions."));
    }
}
