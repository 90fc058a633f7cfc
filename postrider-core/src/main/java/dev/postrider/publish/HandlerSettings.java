package dev.postrider.publish;

import java.time.Duration;

/** What all handlers of a {@link HandlerPublisher} have in common. */
record HandlerSettings(
        int threads, Duration maxWait, Duration slowAfter, Duration closeTimeout, HandlerVerdict verdict) {}
