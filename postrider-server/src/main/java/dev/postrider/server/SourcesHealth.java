package dev.postrider.server;

import dev.postrider.relay.HealthReport;
import dev.postrider.server.source.SourceContext;
import dev.postrider.server.source.SourceContexts;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;

/** The health of each source by its name: ready to be counted on, or worth keeping the process. */
final class SourcesHealth implements CompositeHealthContributor {

    private final SourceContexts sources;
    private final Function<SourceContext, Health> judge;

    SourcesHealth(SourceContexts sources, Function<SourceContext, Health> judge) {
        this.sources = sources;
        this.judge = judge;
    }

    /** A source without a relay has nothing that could be ill. */
    static Health ready(SourceContext source) {
        return source.health()
                .map(report ->
                        details(new Health.Builder().status(report.status().name()), report))
                .orElseGet(() -> Health.up().withDetail("relay", "off").build());
    }

    /** Down only if a restart of the process would help; never because of the database or the broker. */
    static Health live(SourceContext source) {
        return source.health()
                .map(report -> details(report.live() ? Health.up() : Health.down(), report))
                .orElseGet(() -> Health.up().withDetail("relay", "off").build());
    }

    private static Health details(Health.Builder health, HealthReport report) {
        report.details().forEach(health::withDetail);
        return health.build();
    }

    @Override
    public @Nullable HealthContributor getContributor(String name) {
        return sources.find(name).map(this::indicator).orElse(null);
    }

    @Override
    public Stream<HealthContributors.Entry> stream() {
        return sources.all().stream().map(source -> new HealthContributors.Entry(source.name(), indicator(source)));
    }

    private HealthIndicator indicator(SourceContext source) {
        return () -> judge.apply(source);
    }
}
