package dev.postrider.spi;

import java.util.List;

/**
 * Which rows can be seen, whatever their state and shard. A row is seen once its transaction has committed, which may
 * be after rows with higher sequences were: until then its place is a gap.
 *
 * @param above the next rows above the place asked for, in ascending order
 * @param appeared rows inside the gaps asked for that are PENDING and not waiting, in ascending order; seen no earlier
 *     than {@code above}
 */
public record Outlook(List<Long> above, List<Long> appeared) {

    /** How many rows that appeared are told at once, the lowest first. */
    public static final int MOST_APPEARED = 10_000;

    /** Copies the rows. */
    public Outlook {
        above = List.copyOf(above);
        appeared = List.copyOf(appeared);
    }
}
