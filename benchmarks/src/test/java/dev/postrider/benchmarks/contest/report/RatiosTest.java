package dev.postrider.benchmarks.contest.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import dev.postrider.benchmarks.contenders.Entrant;
import dev.postrider.benchmarks.contest.arena.DatabaseKind;
import dev.postrider.benchmarks.contest.arena.Parameters;
import dev.postrider.benchmarks.contest.arena.SinkKind;
import dev.postrider.benchmarks.contest.trial.Figures;
import dev.postrider.benchmarks.contest.trial.Match;
import dev.postrider.benchmarks.contest.trial.TrialKind;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RatiosTest {

    private final Scores scores = new Scores();

    @Test
    void whatWasNotMeasuredIsLeftOut() {
        measure("w2", Entrant.POSTRIDER, Map.of("rate", 1_000.0));

        assertThat(Ratios.of(scores)).isEmpty();
    }

    @Test
    void theBestPeerThatKeepsARowIsTheMeasure() {
        measure("w2", Entrant.POSTRIDER, Map.of("rate", 60_000.0));
        measure("w2", Entrant.DB_SCHEDULER, Map.of("rate", 6_000.0));
        measure("w2", Entrant.GRUELBOX, Map.of("rate", 3_000.0));
        measure("w2", Entrant.DEBEZIUM, Map.of("rate", 30_000.0));
        measure("w2", Entrant.RAW, Map.of("rate", 600_000.0));

        assertThat(Ratios.of(scores))
                .containsOnly(entry("w2.best_peer", 10.0), entry("w2.raw", 0.1), entry("w2.debezium", 2.0));
    }

    @Test
    void theMedianOfTheRoundsCounts() {
        for (double rate : new double[] {50_000, 10, 60_000}) {
            measure("w2", Entrant.POSTRIDER, Map.of("rate", rate));
        }
        measure("w2", Entrant.GRUELBOX, Map.of("rate", 5_000.0));

        assertThat(Ratios.of(scores)).containsEntry("w2.best_peer", 10.0);
    }

    @Test
    void anEnqueueIsJudgedByItsWorseNumberOfThreads() {
        measure("w1", Entrant.POSTRIDER, Map.of("overhead_1", 1.2, "overhead_4", 1.3));
        measure("w1", Entrant.POSTRIDER_ENQUEUE, Map.of("overhead_1", 1.0, "overhead_4", 1.0));
        measure("w1", Entrant.RAW, Map.of("overhead_1", 1.0, "overhead_4", 1.0));
        measure("w1", Entrant.GRUELBOX, Map.of("overhead_1", 1.8, "overhead_4", 1.56));
        measure("w1", Entrant.DEBEZIUM, Map.of("overhead_1", 1.5, "overhead_4", 1.95));

        Map<String, Double> ratios = Ratios.of(scores);

        assertThat(ratios.get("w1.overhead")).isEqualTo(1.3);
        assertThat(ratios.get("w1.best_peer")).isCloseTo(1.2, within(1e-9));
    }

    @Test
    void latencyIsComparedInBothDirections() {
        measure("w3", Entrant.POSTRIDER, Map.of("p50_ms", 1.0, "p99_ms", 5.0));
        measure("w3", Entrant.GRUELBOX, Map.of("p50_ms", 0.5, "p99_ms", 2.0));
        measure("w3", Entrant.NAMASTACK, Map.of("p50_ms", 15.0, "p99_ms", 30.0));

        assertThat(Ratios.of(scores)).containsEntry("w3.fastest_peer", 2.0).containsEntry("w3.polling_peer", 15.0);
    }

    @Test
    void theWorstCaseOfGrowthIsComparedWithThePlainOne() {
        measure("w5.none", Entrant.POSTRIDER, Map.of("rate", 50_000.0));
        measure("w5.delivered", Entrant.POSTRIDER, Map.of("rate", 45_000.0));
        measure("w5.snapshot", Entrant.POSTRIDER, Map.of("rate", 40_000.0));

        assertThat(Ratios.of(scores)).containsExactly(entry("w5.worst", 0.8));
    }

    @Test
    void severalRelaysAreComparedWithTheLapBesideTheirs() {
        measure("w8", Entrant.POSTRIDER, Map.of("rate_1", 2.0, "rate_2", 1.0, "two_relays", 0.9, "four_relays", 0.8));

        assertThat(Ratios.of(scores)).containsOnly(entry("w8.two_relays", 0.9), entry("w8.four_relays", 0.8));
    }

    @Test
    void aDuplicateInOneRoundIsNotHiddenByTheOthers() {
        for (double duplicates : new double[] {0, 1, 0}) {
            measure("w8", Entrant.POSTRIDER, Map.of("duplicates", duplicates));
        }

        assertThat(Ratios.of(scores)).containsOnly(entry("w8.duplicates", 1.0));
    }

    private void measure(String workload, Entrant entrant, Map<String, Double> values) {
        Figures figures = new Figures();
        values.forEach(figures::put);
        scores.add(
                new Match(
                        workload, entrant, TrialKind.DRAIN, DatabaseKind.POSTGRESQL, SinkKind.NOOP, Parameters.none()),
                figures);
    }
}
