package dev.postrider.console.live;

import org.jspecify.annotations.Nullable;

/**
 * What one look at a source measured; null where nothing is known.
 *
 * @param inPerSecond messages enqueued in a second
 * @param outPerSecond messages delivered in a second
 * @param failedPerSecond attempts that failed in a second
 * @param oldestMillis the age of the oldest deliverable message
 */
record Measurement(
        @Nullable Double inPerSecond,
        @Nullable Double outPerSecond,
        @Nullable Double failedPerSecond,
        @Nullable Long oldestMillis) {

    static final Measurement NOTHING = new Measurement(null, null, null, null);
}
