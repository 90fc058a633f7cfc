package dev.postrider.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.admin.KnownRelay;
import dev.postrider.spi.RelayMode;
import dev.postrider.spi.RelayReport;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Rates, percentiles and histories, on clocks of their own. */
final class LiveFiguresTest {

    private static final Instant NOW = Instant.parse("2026-11-19T12:00:00Z");

    @Test
    void rateIsTheGrowthOverTheWindow() {
        RateWindow window = new RateWindow();

        window.add(0, 1_000);
        assertThat(window.perSecond()).isNull();
        for (int second = 1; second <= 60; second++) {
            window.add(TimeUnit.SECONDS.toNanos(second), 1_000 + second * 250L);
        }
        assertThat(window.perSecond()).isEqualTo(250.0);
    }

    @Test
    void totalThatFallsStartsTheWindowAnew() {
        RateWindow window = new RateWindow();
        window.add(0, 1_000);
        window.add(TimeUnit.SECONDS.toNanos(1), 2_000);

        window.add(TimeUnit.SECONDS.toNanos(2), 5);

        assertThat(window.perSecond()).isNull();
    }

    @Test
    void percentileIsAtMostAFifthTooHigh() {
        Random random = new Random(7);
        DelayBuckets buckets = new DelayBuckets();
        long[] delays = random.longs(10_000, 1, 20_000).sorted().toArray();
        for (long delay : delays) {
            buckets.add(delay);
        }

        for (double part : new double[] {0.5, 0.95, 0.99}) {
            long exact = delays[(int) Math.ceil(part * delays.length) - 1];
            assertThat(buckets.percentile(part)).isBetween((long) (exact * 0.99), (long) (exact * 1.21) + 1);
        }
        assertThat(new DelayBuckets().percentile(0.5)).isNull();
    }

    @Test
    void stepsWithoutALookAreGaps() {
        History history = new History(1_000, 5);
        DelayBuckets delays = new DelayBuckets();
        delays.add(40);
        history.add(10_000, new Measurement(10.0, 8.0, 0.0, 5L), delays);
        history.add(10_500, new Measurement(20.0, null, 0.0, 9L), new DelayBuckets());
        history.add(12_000, Measurement.NOTHING, new DelayBuckets());

        StatisticsView.Series series = history.series(13_999);

        assertThat(series.enqueued()).containsExactly(null, 15.0, null, null, null);
        assertThat(series.out()).containsExactly(null, 8.0, null, null, null);
        assertThat(series.oldestMillis()).containsExactly(null, 9L, null, null, null);
        assertThat(series.delayP50Millis().get(1)).isBetween(40L, 48L);
        assertThat(history.fromMillis(13_999)).isEqualTo(9_000);
    }

    @Test
    void historyForgetsWhatIsOlderThanItsWindow() {
        History history = new History(1_000, 3);
        for (int i = 0; i < 100; i++) {
            history.add(i * 1_000L, new Measurement((double) i, null, null, null), new DelayBuckets());
        }

        assertThat(history.series(99_000).enqueued()).containsExactly(97.0, 98.0, 99.0);
    }

    @Test
    void totalsOfRelaysGrowByWhatTheyTell() {
        RelayTotals totals = new RelayTotals();
        RelayFigures figures = new RelayFigures();

        assertThat(totals.add(List.of(relay("a", 100)), figures, Set.of()).out())
                .isZero();
        assertThat(totals.add(List.of(relay("a", 130)), figures, Set.of()).out())
                .isEqualTo(30);
        assertThat(totals.add(List.of(relay("a", 130), relay("b", 5)), figures, Set.of())
                        .out())
                .isEqualTo(35);
        assertThat(totals.add(List.of(relay("b", 6)), figures, Set.of()).out()).isEqualTo(36);
    }

    @Test
    void joiningAndLeavingRelaysAreTold() {
        RelayChanges changes = new RelayChanges();

        assertThat(changes.add(List.of(relay("a", 0)), NOW)).isEmpty();
        assertThat(changes.add(List.of(relay("a", 0), relay("b", 0)), NOW)).containsExactly("b joined");
        assertThat(changes.add(List.of(relay("b", 0)), NOW)).containsExactly("a left", "b joined");
        assertThat(changes.add(List.of(relay("b", 0)), NOW.plusSeconds(3_600))).isEmpty();
    }

    private static KnownRelay relay(String id, long delivered) {
        RelayReport report = new RelayReport(id, null, null, RelayReport.State.RUNNING, 0, delivered, 0, null);
        return new KnownRelay(id, NOW, NOW, true, List.of(), report, RelayMode.RUN, null);
    }
}
