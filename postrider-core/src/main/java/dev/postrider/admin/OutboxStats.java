package dev.postrider.admin;

import java.time.Duration;

/**
 * How full the outbox is. Every count stops at a cap, so that asking stays cheap on a large table.
 *
 * @param pending messages that can be delivered at once or are claimed
 * @param waiting messages that wait for a retry, a delay or an earlier message of their key
 * @param dead messages that wait for a person
 * @param oldestPending the age of the oldest deliverable message; zero if there is none
 * @param cap a count equal to this means "at least"
 * @param blockedKeys keys that cannot go on until their first message is delivered or discarded, up to 1,000
 * @param relays relays that are alive
 * @param unownedShards shards without a living relay; their messages are not delivered
 */
public record OutboxStats(
        long pending,
        long waiting,
        long dead,
        Duration oldestPending,
        long cap,
        int blockedKeys,
        int relays,
        int unownedShards) {}
