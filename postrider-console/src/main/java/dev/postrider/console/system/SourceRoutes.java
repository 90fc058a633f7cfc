package dev.postrider.console.system;

import dev.postrider.console.ConsoleRole;
import dev.postrider.console.ConsoleSource;
import dev.postrider.console.live.Sampler;
import dev.postrider.console.live.SourceVerdict;
import dev.postrider.console.route.Exchange;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists the sources, each with its sentence. */
public final class SourceRoutes {

    private static final Logger log = LoggerFactory.getLogger(SourceRoutes.class);

    private final Collection<ConsoleSource> sources;
    private final Function<ConsoleSource, Sampler> samplers;
    private final String version;
    private final Map<String, String> databases = new ConcurrentHashMap<>();

    /** The sources of this process. */
    record SourceList(List<SourceView> sources, boolean dev, String version) {}

    /** A source; its database is unknown until it has been reached once. */
    record SourceView(String name, @Nullable String database, SourceVerdict verdict) {}

    /** Takes the sources, where their samplers are found, and the version of this process. */
    public SourceRoutes(Collection<ConsoleSource> sources, Function<ConsoleSource, Sampler> samplers, String version) {
        this.sources = List.copyOf(sources);
        this.samplers = samplers;
        this.version = version;
    }

    /** Adds the routes. */
    public void addTo(RouteTable table) {
        table.add(
                RouteSpec.general(
                        "GET",
                        ConsoleRole.VIEWER,
                        "/sources",
                        SourceList.class,
                        "Lists the sources, each with one sentence about how it is."),
                this::list);
    }

    private Object list(Exchange exchange) {
        boolean dev = sources.stream().anyMatch(source -> source.devTools().isPresent());
        return new SourceList(
                sources.stream()
                        .map(source -> new SourceView(
                                source.name(),
                                database(source),
                                samplers.apply(source).verdict()))
                        .toList(),
                dev,
                version);
    }

    private @Nullable String database(ConsoleSource source) {
        String known = databases.get(source.name());
        if (known != null) {
            return known;
        }
        try (Connection connection = source.dataSource().getConnection()) {
            DatabaseMetaData server = connection.getMetaData();
            String name = "%s %s".formatted(server.getDatabaseProductName(), server.getDatabaseProductVersion());
            databases.put(source.name(), name);
            return name;
        } catch (SQLException e) {
            log.debug("The database of source {} does not say what it is", source.name(), e);
            return null;
        }
    }
}
