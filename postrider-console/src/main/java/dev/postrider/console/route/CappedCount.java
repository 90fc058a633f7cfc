package dev.postrider.console.route;

/**
 * A count that stopped at a cap.
 *
 * @param value how many were counted
 * @param atLeast whether there may be more
 */
public record CappedCount(long value, boolean atLeast) {

    /** Returns a count with this cap. */
    public static CappedCount of(long value, long cap) {
        return new CappedCount(Math.min(value, cap), value >= cap);
    }
}
