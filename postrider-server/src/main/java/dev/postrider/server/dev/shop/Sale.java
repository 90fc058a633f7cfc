package dev.postrider.server.dev.shop;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * An order of the demo shop.
 *
 * @param id when it was placed, in microseconds; unlike that of any other order
 * @param customer who ordered
 * @param cents what it costs
 */
record Sale(long id, String customer, long cents) {

    private static final int BASE = 36;
    private static final String PREFIX = "o-";

    Sale {
        Objects.requireNonNull(customer, "customer");
    }

    /** The key of all messages about this order. */
    String key() {
        return PREFIX + Long.toString(id, BASE);
    }

    /** Returns the id of the order that a key names. */
    static long idOf(String key) {
        return Long.parseLong(key, PREFIX.length(), key.length(), BASE);
    }

    /** Returns the smallest id that an order can have at that time. */
    static long firstIdAt(Instant time) {
        return time.toEpochMilli() * Duration.ofMillis(1).toNanos() / 1_000;
    }
}
