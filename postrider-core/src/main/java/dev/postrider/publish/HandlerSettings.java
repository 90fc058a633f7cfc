package dev.postrider.publish;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** What all handlers of a {@link HandlerPublisher} have in common. */
record HandlerSettings(
        int threads, Duration maxWait, Duration slowAfter, Duration closeTimeout, HandlerVerdict verdict) {

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    /** Returns the pause between two looks at messages that wait and at handlers that run. */
    Duration pause() {
        Duration fine = Collections.min(List.of(maxWait, slowAfter)).dividedBy(5);
        return Collections.max(List.of(SHORTEST_PAUSE, Collections.min(List.of(LONGEST_PAUSE, fine))));
    }
}
