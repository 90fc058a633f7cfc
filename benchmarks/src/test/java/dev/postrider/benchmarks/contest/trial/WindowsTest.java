package dev.postrider.benchmarks.contest.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WindowsTest {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    @Test
    void eachWindowHasItsOwnLatency() {
        Windows windows = new Windows(millis(1000, 2000, 3000, 4000, 5000), millis(1001, 2002, 3005, 4003, 5009), 2);

        assertThat(windows.count()).isEqualTo(2);
        assertThat(windows.p99()).containsExactly(2, 5);
        assertThat(windows.all().percentile(1)).isEqualTo(9);
    }

    @Test
    void theRateCountsFromTheEndOfTheWindowBefore() {
        Windows windows = new Windows(millis(1000, 1500, 2000, 2500), millis(1400, 2000, 6000, 4000), 2);

        assertThat(windows.rates()).containsExactly(2, 0.5);
    }

    @Test
    void aWindowLongerThanTheRunIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Windows(millis(1), millis(2), 2))
                .withMessageContaining("2 messages");
    }

    private static long[] millis(long... values) {
        long[] nanos = values.clone();
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] *= MILLI;
        }
        return nanos;
    }
}
