package dev.postrider.console.route;

/** Answers the requests of one route. Thread-safe. */
@FunctionalInterface
public interface RouteHandler {

    /**
     * Answers a request whose role, parameters and body are in order.
     *
     * @return a record that becomes JSON, or a whole {@code ConsoleResponse}
     */
    Object handle(Exchange exchange);
}
