package dev.postrider.console.saga;

import dev.postrider.admin.Slice;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.RouteField;
import dev.postrider.console.route.RouteHandler;
import dev.postrider.console.route.RouteProblem;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import dev.postrider.database.SchemaVersionException;
import dev.postrider.saga.SagaAdmin;
import dev.postrider.saga.SagaDetails;
import dev.postrider.saga.SagaFilter;
import dev.postrider.saga.SagaStatus;
import dev.postrider.saga.SagaSummary;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows sagas and decides about them. */
public final class SagaRoutes {

    private static final List<String> STATUSES =
            Arrays.stream(SagaStatus.values()).map(Enum::name).toList();
    private static final RouteField STEP =
            RouteField.text("step", "The step to go on without.").upTo(100).mandatory();

    /** The answer where there are no saga tables. */
    record NoSagas(boolean available) {}

    /** A part of the sagas. */
    record SagaPage(
            boolean available,
            List<SagaView> items,
            @Nullable String next) {}

    @FunctionalInterface
    private interface SagaAction {

        void on(SagaAdmin admin, Exchange exchange);
    }

    private SagaRoutes() {}

    /** Adds the routes. */
    public static void addTo(RouteTable table) {
        table.add(
                RouteSpec.get(ConsoleRole.VIEWER, "/sagas", SagaPage.class, "Lists sagas, by when they were started.")
                        .query(RouteField.text("definition", "Only those of this definition.")
                                .upTo(100))
                        .query(RouteField.word("status", STATUSES, "Only those with this status."))
                        .query(RouteField.integer(
                                "unchangedMillis",
                                0,
                                Duration.ofDays(3_650).toMillis(),
                                "Only those to which nothing has happened for that long."))
                        .paged(),
                optional(SagaRoutes::list));
        table.add(
                RouteSpec.get(
                        ConsoleRole.VIEWER,
                        "/sagas/{id}",
                        SagaView.SagaDetailView.class,
                        "Shows a saga with graph, journal and audit trail; operators see its context."),
                optional(SagaRoutes::show));
        table.add(
                post("retry", "Lets a saga try again where it is."),
                action((admin, exchange) -> admin.retry(exchange.id(), exchange.decision())));
        table.add(
                post("skip", "Lets a saga go on without a step.").body(STEP),
                action((admin, exchange) -> admin.skip(exchange.id(), exchange.required("step"), exchange.decision())));
        table.add(
                post("cancel", "Ends what a saga is doing and undoes what it did."),
                action((admin, exchange) -> admin.cancel(exchange.id(), exchange.decision())));
        table.add(
                post("compensate", "Undoes what a saga did although it is past its point of no return."),
                action((admin, exchange) -> admin.compensateAfterPivot(exchange.id(), exchange.decision())));
    }

    private static RouteSpec post(String verb, String summary) {
        return RouteSpec.post(ConsoleRole.OPERATOR, "/sagas/{id}/" + verb, SagaView.class, summary);
    }

    private static RouteHandler action(SagaAction action) {
        return exchange -> {
            SagaAdmin admin = exchange.source().postrider().sagaAdmin();
            action.on(admin, exchange);
            return SagaView.of(details(admin, exchange).saga());
        };
    }

    private static RouteHandler optional(RouteHandler handler) {
        return exchange -> {
            try {
                return handler.handle(exchange);
            } catch (SchemaVersionException e) {
                if (e.missing()) {
                    return new NoSagas(false);
                }
                throw e;
            }
        };
    }

    private static Object list(Exchange exchange) {
        SagaFilter filter = SagaFilter.all()
                .withUnchangedFor(
                        Duration.ofMillis(exchange.number("unchangedMillis").orElse(0L)));
        filter = exchange.text("definition").map(filter::withDefinition).orElse(filter);
        filter = exchange.text("status")
                .map(SagaStatus::valueOf)
                .map(filter::withStatus)
                .orElse(filter);
        Slice<SagaSummary> slice = exchange.source().postrider().sagaAdmin().list(filter, exchange.page());
        return new SagaPage(true, slice.items().stream().map(SagaView::of).toList(), slice.cursor());
    }

    private static Object show(Exchange exchange) {
        SagaAdmin admin = exchange.source().postrider().sagaAdmin();
        SagaDetails details = details(admin, exchange);
        boolean operator = exchange.caller().role().includes(ConsoleRole.OPERATOR);
        return new SagaView.SagaDetailView(
                SagaView.of(details.saga()),
                details.revision(),
                details.pivotPassed(),
                details.schedule(),
                details.journal().stream().map(SagaView.JournalView::of).toList(),
                details.audit(),
                SagaGraph.of(
                        admin.outline(
                                details.saga().definition(), details.saga().version()),
                        details.journal()),
                operator ? details.context() : null);
    }

    private static SagaDetails details(SagaAdmin admin, Exchange exchange) {
        return admin.show(exchange.id())
                .orElseThrow(() -> RouteProblem.notFound(
                        "There is no saga %s".formatted(exchange.id()),
                        "Finished sagas are removed after their retention."));
    }
}
