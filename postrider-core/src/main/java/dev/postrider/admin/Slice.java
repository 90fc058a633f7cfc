package dev.postrider.admin;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A part of a long answer. It may hold less than was asked for, or nothing, although more follows: a question reads a
 * bounded number of rows and then hands back what it has.
 *
 * @param items what was found
 * @param cursor where the next part begins; null if this was the last
 * @param <T> what was asked for
 */
public record Slice<T>(List<T> items, @Nullable String cursor) {

    /** Keeps a copy of the items. */
    public Slice {
        items = List.copyOf(items);
    }

    /** Returns what to give to {@link Page#after}; empty if this was the last part. */
    public Optional<String> next() {
        return Optional.ofNullable(cursor);
    }
}
