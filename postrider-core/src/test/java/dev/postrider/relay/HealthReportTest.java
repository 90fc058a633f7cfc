package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.spi.TopicName;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HealthReportTest {

    // The same table stands in docs/health.md.
    @ParameterizedTest
    @CsvSource(textBlock = """
            # alive, store, state,   closed | status,        ready, live,  state
            true,    true,  RUNNING, 0,       UP,             true,  true,  RUNNING
            true,    true,  RUNNING, 1,       UP,             true,  true,  DEGRADED
            true,    true,  PAUSED,  0,       UP,             true,  true,  PAUSED
            true,    true,  PAUSED,  1,       UP,             true,  true,  PAUSED
            true,    true,  STANDBY, 0,       UP,             true,  true,  STANDBY
            true,    false, RUNNING, 0,       DOWN,           false, true,  STORE_UNREACHABLE
            true,    false, RUNNING, 1,       DOWN,           false, true,  STORE_UNREACHABLE
            true,    false, STANDBY, 0,       DOWN,           false, true,  STORE_UNREACHABLE
            true,    false, PAUSED,  0,       DOWN,           false, true,  STORE_UNREACHABLE
            false,   true,  RUNNING, 0,       DOWN,           false, false, SILENT
            false,   false, RUNNING, 0,       DOWN,           false, false, SILENT
            true,    false, NEW,     0,       OUT_OF_SERVICE, false, true,  NEW
            true,    false, CLOSED,  0,       OUT_OF_SERVICE, false, true,  CLOSED
            true,    true,  CLOSED,  0,       OUT_OF_SERVICE, false, true,  CLOSED
            false,   true,  CLOSED,  0,       OUT_OF_SERVICE, false, true,  CLOSED
            """)
    void everySituationHasItsReport(
            boolean alive,
            boolean store,
            RelayHealth.State state,
            int closed,
            HealthReport.Status status,
            boolean ready,
            boolean live,
            HealthReport.State reported) {
        HealthReport report = HealthReport.of(health(alive, store, state, closed, null));

        assertThat(report.status()).isEqualTo(status);
        assertThat(report.ready()).isEqualTo(ready);
        assertThat(report.live()).isEqualTo(live);
        assertThat(report.state()).isEqualTo(reported);
    }

    @Test
    void aStrictReportTakesARelayWithoutItsBrokerOutOfService() {
        HealthReport report = HealthReport.ofStrict(health(true, true, RelayHealth.State.RUNNING, 1, null));

        assertThat(report.status()).isEqualTo(HealthReport.Status.OUT_OF_SERVICE);
        assertThat(report.ready()).isFalse();
        assertThat(report.live()).isTrue();
        assertThat(report.state()).isEqualTo(HealthReport.State.DEGRADED);
        assertThat(HealthReport.ofStrict(health(true, true, RelayHealth.State.RUNNING, 0, null))
                        .status())
                .isEqualTo(HealthReport.Status.UP);
    }

    @ParameterizedTest
    @EnumSource(
            value = RelayHealth.State.class,
            names = {"RUNNING", "STANDBY", "PAUSED"})
    void stalledRelayIsDownAndLiveAndNamesTheReason(RelayHealth.State state) {
        HealthReport report =
                HealthReport.of(new RelayHealth(true, true, state, 3, 7, List.of(), null, "the fetch loop\nhad", 0));

        assertThat(report.status()).isEqualTo(HealthReport.Status.DOWN);
        assertThat(report.ready()).isFalse();
        assertThat(report.live()).isTrue();
        assertThat(report.state()).isEqualTo(HealthReport.State.STALLED);
        assertThat((String) report.details().get("stalled"))
                .startsWith("the fetch loop")
                .doesNotContain("\n");
    }

    @Test
    void detailsAreBoundedAndHarmless() {
        HealthReport report = HealthReport.of(
                health(true, false, RelayHealth.State.RUNNING, 1_000, "fetch: line\n\u001b[31m" + "x".repeat(10_000)));

        assertThat(report.details())
                .containsEntry("state", "store-unreachable")
                .containsEntry("ownedShards", 3)
                .containsEntry("inFlight", 7)
                .containsEntry("closedTopics", 1_000);
        assertThat((List<?>) report.details().get("unreachable"))
                .hasSize(10)
                .first()
                .isEqualTo(new TopicName("default", "topic0").toString());
        assertThat((String) report.details().get("failure"))
                .hasSize(500)
                .startsWith("fetch: line")
                .doesNotContain("\n")
                .doesNotContain("\u001b");
    }

    @Test
    void restartsAreShownIfThereWereAny() {
        RelayHealth calm = health(true, true, RelayHealth.State.RUNNING, 0, null);
        RelayHealth restarted = new RelayHealth(true, true, RelayHealth.State.RUNNING, 3, 7, List.of(), null, null, 1);

        assertThat(HealthReport.of(calm).details()).doesNotContainKey("restarts");
        assertThat(HealthReport.of(restarted).details()).containsEntry("restarts", 1L);
    }

    private static RelayHealth health(
            boolean alive, boolean store, RelayHealth.State state, int closed, @Nullable String failure) {
        List<TopicName> topics = IntStream.range(0, closed)
                .mapToObj(i -> new TopicName("default", "topic" + i))
                .toList();
        return new RelayHealth(alive, store, state, 3, 7, topics, failure, null, 0);
    }
}
