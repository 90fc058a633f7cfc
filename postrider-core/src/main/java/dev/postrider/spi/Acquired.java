package dev.postrider.spi;

import java.util.List;

/**
 * What a take-over brought.
 *
 * @param shards the shards taken, under their new epochs
 * @param lostClaims how many messages of these shards their last owner had in flight when it died
 */
public record Acquired(List<OwnedShard> shards, int lostClaims) {

    /** Nothing was taken. */
    public static final Acquired NOTHING = new Acquired(List.of(), 0);

    /** Copies the shards. */
    public Acquired {
        shards = List.copyOf(shards);
    }
}
