package dev.postrider.console.system;

import dev.postrider.alert.Alert;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.ConsoleSource;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.RouteField;
import dev.postrider.console.route.RouteProblem;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import dev.postrider.monitor.AlertCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Shows the shipped alert rules, evaluated over the samples of this process. */
public final class AlertRoutes {

    private static final int MOST_MINUTES = (int) Duration.ofDays(7).toMinutes();

    private final Function<ConsoleSource, AlertBook> books;

    /** The rules, and what fired. */
    record AlertPage(boolean watching, List<AlertView> items, List<PastAlert> history) {}

    /** A rule. */
    record AlertView(
            String rule,
            String severity,
            boolean firing,
            @Nullable Instant since,
            String text,
            @Nullable String runbook,
            @Nullable Instant snoozedUntil,
            @Nullable String snoozedBy,
            @Nullable String snoozeReason) {}

    /** An alert that began or ended. */
    record PastAlert(String rule, String severity, String state, Instant at, String text) {}

    /** Takes where the alerts of a source are found. */
    public AlertRoutes(Function<ConsoleSource, AlertBook> books) {
        this.books = books;
    }

    /** Adds the routes. */
    public void addTo(RouteTable table) {
        table.add(
                RouteSpec.get(
                        ConsoleRole.VIEWER,
                        "/alerts",
                        AlertPage.class,
                        "Shows the alert rules, and which of them fire."),
                this::list);
        table.add(
                RouteSpec.post(
                                ConsoleRole.OPERATOR,
                                "/alerts/{rule}/snooze",
                                AlertView.class,
                                "Marks an alert as known for a while; this process remembers it until it ends.")
                        .body(RouteField.integer("minutes", 1, MOST_MINUTES, "For how long.")
                                .mandatory()),
                this::snooze);
    }

    private Object list(Exchange exchange) {
        AlertBook book = books.apply(exchange.source());
        Instant now = Instant.now();
        return new AlertPage(
                book.watching(),
                Arrays.stream(AlertCondition.values())
                        .map(condition -> view(book, condition, now))
                        .toList(),
                book.past().stream().map(AlertRoutes::past).toList());
    }

    private Object snooze(Exchange exchange) {
        AlertBook book = books.apply(exchange.source());
        AlertCondition condition = condition(exchange.variable("rule"));
        Instant now = Instant.now();
        Instant until = now.plus(Duration.ofMinutes(exchange.integer("minutes").orElseThrow()));
        exchange.source()
                .postrider()
                .admin()
                .note("SNOOZE", "alert %s until %s".formatted(condition.alertName(), until), exchange.decision());
        book.snooze(condition, new AlertBook.Snooze(until, exchange.caller().name(), exchange.required("reason")));
        return view(book, condition, now);
    }

    private static AlertCondition condition(String rule) {
        return Arrays.stream(AlertCondition.values())
                .filter(each -> each.alertName().equals(rule))
                .findFirst()
                .orElseThrow(() -> RouteProblem.notFound("There is no such alert", "GET alerts lists the alerts."));
    }

    private static AlertView view(AlertBook book, AlertCondition condition, Instant now) {
        Optional<Alert> firing = book.firing(condition);
        Optional<AlertBook.Snooze> snooze = book.snoozed(condition, now);
        return new AlertView(
                condition.alertName(),
                severity(condition.rule().severity()),
                firing.isPresent(),
                firing.map(Alert::at).orElse(null),
                firing.map(Alert::summary).orElse("Does not fire."),
                Runbooks.of(condition.alertName()),
                snooze.map(AlertBook.Snooze::until).orElse(null),
                snooze.map(AlertBook.Snooze::by).orElse(null),
                snooze.map(AlertBook.Snooze::reason).orElse(null));
    }

    private static PastAlert past(Alert alert) {
        return new PastAlert(
                alert.name(), severity(alert.severity()), alert.state().name(), alert.at(), alert.summary());
    }

    private static String severity(Alert.Severity severity) {
        return severity.name().toLowerCase(Locale.ROOT);
    }
}
