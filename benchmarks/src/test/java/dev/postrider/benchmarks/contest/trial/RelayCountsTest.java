package dev.postrider.benchmarks.contest.trial;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RelayCountsTest {

    @Test
    void countsSurviveTheLineBetweenTwoProcesses() {
        RelayCounts counts = new RelayCounts(16, 100_000, 100_002, 99_999, 123_456_789_012L, 5_000_000_000L);

        assertThat(RelayCounts.parse(counts.line())).isEqualTo(counts);
    }
}
