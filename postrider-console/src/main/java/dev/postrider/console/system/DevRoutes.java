package dev.postrider.console.system;

import dev.postrider.console.ConsoleRole;
import dev.postrider.console.DevTools;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.FieldKind;
import dev.postrider.console.route.RouteField;
import dev.postrider.console.route.RouteProblem;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import java.util.OptionalInt;

/** Breaks and restores the parts of a demo. Outside a demo these routes find nothing. */
public final class DevRoutes {

    private static final int MOST_LATENCY_MILLIS = 60_000;
    private static final int MOST_PER_SECOND = 5_000;

    private DevRoutes() {}

    /** Adds the routes. */
    public static void addTo(RouteTable table) {
        table.add(
                RouteSpec.get(ConsoleRole.VIEWER, "/dev", DevTools.DemoState.class, "Shows where the demo stands."),
                exchange -> tools(exchange).state());
        table.add(
                post("broker", "Breaks, restores or slows the broker of the demo.")
                        .body(RouteField.of("broken", FieldKind.BOOLEAN, 0, 0, "Whether it answers nothing."))
                        .body(RouteField.integer(
                                "latencyMillis", 0, MOST_LATENCY_MILLIS, "How late each answer comes.")),
                DevRoutes::broker);
        table.add(
                post("traffic", "Changes what the demo enqueues.")
                        .body(RouteField.integer("perSecond", 0, MOST_PER_SECOND, "How many messages a second."))
                        .body(RouteField.of(
                                "poison", FieldKind.BOOLEAN, 0, 0, "Whether a message is poison now and then.")),
                DevRoutes::traffic);
        table.add(post("poison", "Enqueues a message that no attempt delivers."), DevRoutes::poison);
        table.add(
                post("kill-relay", "Kills a relay without giving it time to hand over.")
                        .body(RouteField.text("id", "The name of the relay.").mandatory()),
                DevRoutes::killRelay);
        table.add(post("start-relay", "Starts another relay."), DevRoutes::startRelay);
    }

    private static RouteSpec post(String path, String summary) {
        return RouteSpec.ask(ConsoleRole.OPERATOR, "/dev/" + path, DevTools.DemoState.class, summary);
    }

    private static DevTools tools(Exchange exchange) {
        return exchange.source()
                .devTools()
                .orElseThrow(() -> RouteProblem.notFound("This source is no demo", "Start one with 'postrider dev'."));
    }

    private static Object broker(Exchange exchange) {
        DevTools tools = tools(exchange);
        exchange.bool("broken").ifPresent(tools::breakBroker);
        exchange.integer("latencyMillis").ifPresent(tools::delayBroker);
        return tools.state();
    }

    private static Object traffic(Exchange exchange) {
        DevTools tools = tools(exchange);
        exchange.integer("perSecond").ifPresent(rate -> tools.traffic(OptionalInt.of(rate)));
        exchange.bool("poison").ifPresent(tools::poison);
        return tools.state();
    }

    private static Object poison(Exchange exchange) {
        DevTools tools = tools(exchange);
        tools.enqueuePoison();
        return tools.state();
    }

    private static Object killRelay(Exchange exchange) {
        DevTools tools = tools(exchange);
        if (!tools.killRelay(exchange.required("id"))) {
            throw RouteProblem.notFound("The demo has no relay with this name", "GET dev lists the relays.");
        }
        return tools.state();
    }

    private static Object startRelay(Exchange exchange) {
        DevTools tools = tools(exchange);
        tools.startRelay();
        return tools.state();
    }
}
