package dev.postrider.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventWindowTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void nothingIsForgottenBeforeItsTimeOrMuchLater(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Duration window = Duration.ofSeconds(random.nextInt(1, 1_000));
        EventWindow events = new EventWindow(window);
        long late = window.toNanos() / 20;
        List<Long> times = new ArrayList<>();
        long nanos = -random.nextLong(1L << 50);

        for (int i = 0; i < 5_000; i++) {
            nanos += random.nextLong(window.toNanos() / 10);
            if (random.nextInt(200) == 0) {
                nanos += window.toNanos() * 3;
            }
            events.add(1, nanos);
            times.add(nanos);
            long now = nanos + random.nextLong(window.toNanos() / 10);
            nanos = now;

            long least =
                    times.stream().filter(time -> now - time < window.toNanos()).count();
            long most = times.stream()
                    .filter(time -> now - time <= window.toNanos() + late)
                    .count();
            assertThat(events.sum(now)).as("seed %d, step %d", seed, i).isBetween(least, most);
        }
    }
}
