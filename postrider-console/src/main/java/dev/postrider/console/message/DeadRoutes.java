package dev.postrider.console.message;

import dev.postrider.console.ConsoleRole;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.RouteField;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import java.util.List;

/** Shows what dead messages have in common. */
public final class DeadRoutes {

    private static final int DEFAULT_LIMIT = 50;

    /** The groups, the largest first. */
    record DeadGroups(List<DeadGroupView> items) {}

    private DeadRoutes() {}

    /** Adds the routes. */
    public static void addTo(RouteTable table) {
        table.add(
                RouteSpec.get(
                                ConsoleRole.VIEWER,
                                "/dead/groups",
                                DeadGroups.class,
                                "Groups dead messages by topic, type and failure.")
                        .query(MessageSource.FILTER)
                        .query(RouteField.integer("limit", 1, 500, "How many groups at most. Default 50.")),
                DeadRoutes::groups);
    }

    private static Object groups(Exchange exchange) {
        return new DeadGroups(exchange
                .source()
                .postrider()
                .deadMessages()
                .groups(
                        MessageSource.filter(exchange),
                        exchange.integer("limit").orElse(DEFAULT_LIMIT))
                .stream()
                .map(DeadGroupView::of)
                .toList());
    }
}
