package dev.postrider.spi;

import java.util.List;

/**
 * What one claim found, and which rows could be seen when it was made.
 *
 * @param seen the rows in the range that was asked for, whatever their state and shard, in ascending order; seen no
 *     later than what was claimed
 * @param batch what was claimed
 */
public record Sighting(List<Long> seen, ClaimedBatch batch) {

    /** Copies the rows. */
    public Sighting {
        seen = List.copyOf(seen);
    }
}
