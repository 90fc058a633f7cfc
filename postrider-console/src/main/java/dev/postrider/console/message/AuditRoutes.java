package dev.postrider.console.message;

import dev.postrider.admin.AuditEntry;
import dev.postrider.admin.AuditFilter;
import dev.postrider.admin.Slice;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.RouteField;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows who did what, and why. */
public final class AuditRoutes {

    /** A part of the audit trail. */
    record AuditPage(List<AuditView> items, @Nullable String next) {}

    private AuditRoutes() {}

    /** Adds the routes. */
    public static void addTo(RouteTable table) {
        table.add(
                RouteSpec.get(ConsoleRole.VIEWER, "/audit", AuditPage.class, "Shows who did what, and why.")
                        .query(RouteField.text("by", "Who decided.").upTo(200))
                        .query(RouteField.text("from", "At this time or later."))
                        .query(RouteField.text("before", "Before this time."))
                        .query(RouteField.text("messageId", "The message it was done to."))
                        .query(RouteField.text("bulkId", "The bulk action it was a part of."))
                        .paged(),
                AuditRoutes::page);
    }

    private static Object page(Exchange exchange) {
        AuditFilter filter = new AuditFilter(
                exchange.uuid("messageId").orElse(null),
                exchange.uuid("bulkId").orElse(null),
                exchange.text("by").orElse(null),
                exchange.time("from").orElse(null),
                exchange.time("before").orElse(null));
        Slice<AuditEntry> slice = exchange.source().postrider().deadMessages().audit(filter, exchange.page());
        return new AuditPage(slice.items().stream().map(AuditView::of).toList(), slice.cursor());
    }
}
