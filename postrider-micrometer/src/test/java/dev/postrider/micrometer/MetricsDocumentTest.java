package dev.postrider.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.services.Database.Kind;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/metrics.md and the code say the same. */
@Tag("R4.8")
class MetricsDocumentTest {

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES_18"})
    void theDocumentAndTheRegistryNameTheSameMeters(Kind kind) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (Shop shop = new Shop(kind, registry);
                Warehouse warehouse = new Warehouse(kind, registry)) {
            shop.everythingHappens();
            warehouse.everythingHappens();

            Set<String> registered = registry.getMeters().stream()
                    .map(meter -> meter.getId().getName())
                    .collect(Collectors.toCollection(TreeSet::new));
            Set<String> scraped = Scrape.names(registry.scrape());

            assertThat(registered).isEqualTo(MetricsTable.meters());
            assertThat(scraped).isEqualTo(MetricsTable.series());
        }
    }
}
