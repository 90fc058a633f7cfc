package dev.postrider.console;

import dev.postrider.console.inbox.InboxRoutes;
import dev.postrider.console.live.LiveRoutes;
import dev.postrider.console.live.Sampler;
import dev.postrider.console.message.AuditRoutes;
import dev.postrider.console.message.BulkRoutes;
import dev.postrider.console.message.BulkRunner;
import dev.postrider.console.message.DeadRoutes;
import dev.postrider.console.message.KeyRoutes;
import dev.postrider.console.message.MessageRoutes;
import dev.postrider.console.openapi.OpenApi;
import dev.postrider.console.relay.RelayRoutes;
import dev.postrider.console.relay.TopicPages;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import dev.postrider.console.route.Router;
import dev.postrider.console.saga.SagaRoutes;
import dev.postrider.console.system.AlertBook;
import dev.postrider.console.system.AlertRoutes;
import dev.postrider.console.system.DevRoutes;
import dev.postrider.console.system.DoctorRoutes;
import dev.postrider.console.system.SettingsRoutes;
import dev.postrider.console.system.SourceRoutes;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Answers requests about sources. Every answer, also an error, is a {@link ConsoleResponse}. Reading changes nothing;
 * whatever changes something needs a reason and leaves an entry in the audit trail. Thread-safe.
 */
public final class ConsoleApi implements AutoCloseable {

    private static final String VERSION =
            Objects.requireNonNullElse(ConsoleApi.class.getPackage().getImplementationVersion(), "unknown");

    private final Map<String, ConsoleSource> sources = new LinkedHashMap<>();
    private final RouteTable table = new RouteTable();
    private final BulkRunner bulkRunner = new BulkRunner();
    private final Map<String, Sampler> samplers = new LinkedHashMap<>();
    private final Map<String, AlertBook> alerts = new LinkedHashMap<>();
    private final AtomicBoolean started = new AtomicBoolean();
    private final Router router;

    private ConsoleApi(Collection<ConsoleSource> all) {
        for (ConsoleSource source : all) {
            if (sources.putIfAbsent(source.name(), source) != null) {
                throw new IllegalArgumentException("Two sources are called '%s'".formatted(source.name()));
            }
        }
        for (ConsoleSource source : all) {
            Sampler sampler = new Sampler(source);
            samplers.put(source.name(), sampler);
            alerts.put(source.name(), new AlertBook(source, sampler));
        }
        Function<ConsoleSource, Sampler> sampler = source -> Objects.requireNonNull(samplers.get(source.name()));
        new LiveRoutes(sampler).addTo(table);
        RelayRoutes.addTo(table);
        new TopicPages(sampler).addTo(table);
        InboxRoutes.addTo(table);
        SagaRoutes.addTo(table);
        new SourceRoutes(all, sampler, VERSION).addTo(table);
        new SettingsRoutes(VERSION).addTo(table);
        new AlertRoutes(source -> Objects.requireNonNull(alerts.get(source.name()))).addTo(table);
        DoctorRoutes.addTo(table);
        DevRoutes.addTo(table);
        new OpenApi(table).addTo(table);
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

    /**
     * Begins to look at the sources, so that rates and charts are known and viewers cost no queries. Without it each
     * request for an overview looks anew. Does nothing the second time.
     */
    public ConsoleApi start() {
        if (started.compareAndSet(false, true)) {
            samplers.values().forEach(Sampler::start);
            alerts.values().forEach(AlertBook::start);
        }
        return this;
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
        alerts.values().forEach(AlertBook::close);
        samplers.values().forEach(Sampler::close);
        bulkRunner.close();
    }
}
