package dev.postrider.admin;

import org.jspecify.annotations.Nullable;

/**
 * Who owns a shard.
 *
 * @param shard its number
 * @param owner the living relay that owns it; null if there is none, so that its messages are not delivered
 * @param epoch how often it was taken over
 */
public record ShardOwner(int shard, @Nullable String owner, long epoch) {}
