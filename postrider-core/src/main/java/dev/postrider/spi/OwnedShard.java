package dev.postrider.spi;

/**
 * A shard in the hands of one relay.
 *
 * @param shard from 0 to {@link Shards#COUNT} exclusive
 * @param epoch rises with every take-over; one epoch has one owner
 * @param lowWater a scan for claimable rows of this shard may begin above this sequence
 */
public record OwnedShard(int shard, long epoch, long lowWater) {}
