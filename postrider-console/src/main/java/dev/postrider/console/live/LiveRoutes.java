package dev.postrider.console.live;

import dev.postrider.console.ConsoleRole;
import dev.postrider.console.ConsoleSource;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.RouteField;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import java.util.List;
import java.util.function.Function;

/** The overview and the charts, from samples. */
public final class LiveRoutes {

    private final Function<ConsoleSource, Sampler> samplers;

    /** Takes where the sampler of a source is found. */
    public LiveRoutes(Function<ConsoleSource, Sampler> samplers) {
        this.samplers = samplers;
    }

    /** Adds the routes. */
    public void addTo(RouteTable table) {
        table.add(
                RouteSpec.get(
                        ConsoleRole.VIEWER,
                        "/overview",
                        OverviewView.class,
                        "Shows in one sentence and some figures how the source is."),
                this::overview);
        table.add(
                RouteSpec.get(
                                ConsoleRole.VIEWER,
                                "/statistics",
                                StatisticsView.class,
                                "Shows the figures of the last minutes, hour or day; null where nothing was measured.")
                        .query(RouteField.word("window", List.of("15m", "1h", "24h"), "How long. Default 15m.")),
                this::statistics);
    }

    private Object overview(Exchange exchange) {
        return samplers.apply(exchange.source()).overview();
    }

    private Object statistics(Exchange exchange) {
        return samplers.apply(exchange.source())
                .statistics(exchange.text("window").orElse("15m"));
    }
}
