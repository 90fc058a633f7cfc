package dev.postrider.spi;

import java.util.List;

/**
 * What one claim found, and which rows could be seen when it was made.
 *
 * @param seen the rows in the range that was asked for, at least up to where the batch came, whatever their state and
 *     shard, in ascending order; seen no later than what was claimed. A row that is not told is taken for one that has
 *     not been committed yet, and looked for again before anything of the batch is sent
 * @param batch what was claimed
 */
public record Sighting(List<Long> seen, ClaimedBatch batch) {

    /** Copies the rows. */
    public Sighting {
        seen = List.copyOf(seen);
    }
}
