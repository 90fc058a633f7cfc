package dev.postrider.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.RelayReport;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a relay tells of itself. */
class RelayReporterTest {

    private static final ClaimedMessage CLAIMED = new ClaimedMessage(
            1,
            7,
            "relay",
            63,
            1,
            1,
            false,
            0,
            false,
            null,
            OutboxMessage.to("orders", "placed").build());

    private final RelayReporter reporter = new RelayReporter();

    @Test
    void attemptsThatEndedAreCountedAndPutBackOnesAreNot() {
        reporter.settled(List.of(
                Settlement.delivered(CLAIMED),
                Settlement.delivered(CLAIMED),
                Settlement.retry(CLAIMED, Duration.ZERO, "broken", false),
                Settlement.dead(CLAIMED, "never", false),
                Settlement.released(CLAIMED),
                Settlement.behind(CLAIMED, 3)));

        RelayReport report = reporter.report("relay", health(RelayHealth.State.RUNNING, null));

        assertThat(report.relay()).isEqualTo("relay");
        assertThat(report.delivered()).isEqualTo(2);
        assertThat(report.failed()).isEqualTo(2);
        assertThat(report.inFlight()).isEqualTo(5);
        assertThat(report.lastError()).isEqualTo("never");
    }

    @Test
    void theLastErrorIsThatOfAnAttemptOfATopicOrOfALoop() {
        assertThat(lastError()).isNull();

        reporter.gateClosed(new TopicName("shop", "orders"), "no\nleader");
        assertThat(lastError()).isEqualTo("no leader");

        reporter.turnFailed("fetch", new IllegalStateException("gone"));
        assertThat(lastError()).isEqualTo("fetch: java.lang.IllegalStateException: gone");
    }

    @ParameterizedTest
    @CsvSource({
        "RUNNING, , RUNNING",
        "STANDBY, , STANDBY",
        "PAUSED, , PAUSED",
        "DRAINING, , DRAINING",
        "RUNNING, the fetch loop had no successful turn, STALLED"
    })
    void theStateIsThatOfItsHealth(RelayHealth.State state, @Nullable String stalled, RelayReport.State told) {
        assertThat(reporter.report("relay", health(state, stalled)).state()).isEqualTo(told);
    }

    private @Nullable String lastError() {
        return reporter.report("relay", health(RelayHealth.State.RUNNING, null)).lastError();
    }

    private static RelayHealth health(RelayHealth.State state, @Nullable String stalled) {
        return new RelayHealth(true, true, state, 64, 5, List.of(), null, stalled, 0);
    }
}
