package dev.postrider.admin;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a long answer is wanted.
 *
 * @param limit how many at most, from 1 to {@value #MAX_LIMIT}
 * @param order which come first
 * @param cursor where the part before ended, as its {@link Slice#next} tells; null to begin
 */
public record Page(int limit, Order order, @Nullable String cursor) {

    /** The most that one part holds. */
    public static final int MAX_LIMIT = 1_000;

    /** Which come first. */
    public enum Order {
        /** The latest first. */
        NEWEST_FIRST,
        /** The earliest first. */
        OLDEST_FIRST
    }

    /** Checks the limit. */
    public Page {
        Objects.requireNonNull(order, "order");
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit must be from 1 to %d but was %d".formatted(MAX_LIMIT, limit));
        }
    }

    /** Returns the first part, the latest first. */
    public static Page newest(int limit) {
        return new Page(limit, Order.NEWEST_FIRST, null);
    }

    /** Returns the first part, the earliest first. */
    public static Page oldest(int limit) {
        return new Page(limit, Order.OLDEST_FIRST, null);
    }

    /** Returns the part that follows the one that ended at {@code next}. */
    public Page after(String next) {
        return new Page(limit, order, Objects.requireNonNull(next, "next"));
    }
}
