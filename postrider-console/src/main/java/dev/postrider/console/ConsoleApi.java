package dev.postrider.console;

import dev.postrider.console.message.AuditRoutes;
import dev.postrider.console.message.BulkRoutes;
import dev.postrider.console.message.BulkRunner;
import dev.postrider.console.message.DeadRoutes;
import dev.postrider.console.message.KeyRoutes;
import dev.postrider.console.message.MessageRoutes;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import dev.postrider.console.route.Router;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Answers requests about sources. Every answer, also an error, is a {@link ConsoleResponse}. Reading changes nothing;
 * whatever changes something needs a reason and leaves an entry in the audit trail. Thread-safe.
 */
public final class ConsoleApi implements AutoCloseable {

    private final Map<String, ConsoleSource> sources = new LinkedHashMap<>();
    private final RouteTable table = new RouteTable();
    private final BulkRunner bulkRunner = new BulkRunner();
    private final Router router;

    private ConsoleApi(Collection<ConsoleSource> all) {
        for (ConsoleSource source : all) {
            if (sources.putIfAbsent(source.name(), source) != null) {
                throw new IllegalArgumentException("Two sources are called '%s'".formatted(source.name()));
            }
        }
        MessageRoutes.addTo(table);
        DeadRoutes.addTo(table);
        KeyRoutes.addTo(table);
        AuditRoutes.addTo(table);
        new BulkRoutes(bulkRunner).addTo(table);
        this.router = new Router(table, name -> Optional.ofNullable(sources.get(name)));
    }

    /** Returns the API of these sources; nothing is sent to a database and no thread runs yet. */
    public static ConsoleApi of(Collection<ConsoleSource> sources) {
        return new ConsoleApi(sources);
    }

    /** Answers a request. */
    public ConsoleResponse handle(ConsoleRequest request) {
        return router.handle(request);
    }

    /** Returns what can be asked, by path. */
    public List<ConsoleRoute> routes() {
        return table.specs().stream().map(RouteSpec::route).toList();
    }

    /** Returns the sources by name. */
    public List<ConsoleSource> sources() {
        return List.copyOf(sources.values());
    }

    /** Ends the threads of the API. Bulk actions that run end after their batch and can be run again. */
    @Override
    public void close() {
        bulkRunner.close();
    }
}
