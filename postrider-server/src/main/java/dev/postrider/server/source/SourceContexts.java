package dev.postrider.server.source;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Starts all sources before the web server listens, and stops them after its last request. If one cannot start, none
 * does. Thread-safe.
 */
public final class SourceContexts implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(SourceContexts.class);

    // Below the web server's, which is Integer.MAX_VALUE - 2048.
    private static final int PHASE = Integer.MAX_VALUE - 4096;
    private static final int MOST_SOURCES = 32;

    private final ConfigurableEnvironment environment;
    private final MeterRegistry meters;
    private final List<SourceCustomizer> customizers;
    private volatile List<SourceContext> running = List.of();

    /** Takes the configuration of the server, the registry of its meters and what adds beans to sources. */
    public SourceContexts(
            ConfigurableEnvironment environment, MeterRegistry meters, List<SourceCustomizer> customizers) {
        this.environment = environment;
        this.meters = meters;
        this.customizers = List.copyOf(customizers);
    }

    /** Returns the sources that run. */
    public List<SourceContext> all() {
        return running;
    }

    /** Finds a source by its name. */
    public Optional<SourceContext> find(String name) {
        return running.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    @Override
    public void start() {
        List<SourceSettings> described = SourceSettings.of(environment);
        require(described);
        List<SourceContext> started = new ArrayList<>();
        try {
            for (SourceSettings each : described) {
                started.add(
                        SourceFailures.explained(each.name(), () -> SourceContext.start(each, meters, customizers)));
                log.info("Source {} started", each.name());
            }
            running = List.copyOf(started);
        } finally {
            if (running.isEmpty()) {
                close(started);
            }
        }
    }

    private static void require(List<SourceSettings> described) {
        if (described.isEmpty()) {
            throw new StartException(
                    StartException.USAGE,
                    "There is no database: use --database, or set spring.datasource.url or"
                            + " postrider.server.sources.<name>.spring.datasource.url",
                    null);
        }
        if (described.size() > MOST_SOURCES) {
            throw new StartException(
                    StartException.USAGE,
                    "There are %d sources, but a server has %d at most".formatted(described.size(), MOST_SOURCES),
                    null);
        }
    }

    @Override
    public void stop() {
        List<SourceContext> ending = running;
        running = List.of();
        close(ending);
    }

    private static void close(List<SourceContext> ending) {
        List<SourceContext> last = new ArrayList<>(ending);
        Collections.reverse(last);
        for (SourceContext each : last) {
            try {
                each.close();
            } catch (RuntimeException e) {
                log.warn("Source {} did not stop cleanly", each.name(), e);
            }
        }
    }

    @Override
    public boolean isRunning() {
        return !running.isEmpty();
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** A relay that was stopped never starts again. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
