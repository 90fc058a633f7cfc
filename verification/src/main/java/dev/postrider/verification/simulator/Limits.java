package dev.postrider.verification.simulator;

import java.time.Duration;
import java.util.List;

/**
 * A situation at the limits of the engine, in which nothing fails and fresh messages of unrelated keys must arrive
 * soon.
 *
 * @param amount of what the situation is about; what it counts depends on the situation
 * @param latency how long a call to the store takes
 */
record Limits(Situation situation, int amount, Duration latency) {

    /** For all histories that are about something else. */
    static final Limits NONE = new Limits(Situation.NOTHING, 0, Duration.ZERO);

    // Calls that overlap end in the reverse order of their beginning: longer ones would hold up each other.
    private static final int[] LATENCIES = {0, 0, 15, 100};
    /** How long the transaction stays open that commits late. */
    static final Duration LATE = Duration.ofSeconds(66);

    /** After which a call without an answer fails. */
    static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(2);

    private static final Duration SOON = Duration.ofSeconds(2);
    private static final int ROUND_TRIPS = 10;
    private static final Duration FOUND_BY_AUDIT = Duration.ofSeconds(45);

    /** What is in the way. */
    enum Situation {
        NOTHING,
        /** Every second sequence was rolled back, while a transaction is open all the time; counts sequences. */
        HOLES,
        /** Dead messages with another message behind each; counts keys. */
        HELD_KEYS,
        /** A topic out of reach with a backlog of fresh and of due messages; counts messages of each. */
        CLOSED_TOPIC,
        /** Rows that another session has locked; counts rows. */
        LOCKED_ROWS,
        /** Heartbeats take long; counts milliseconds. */
        SLOW_HEARTBEATS,
        /** Pairs of due messages of one key, far apart; counts the sequences between them. */
        DELAYED_PAIRS,
        /** Messages that were in flight when two processes died, fewer than a relay prefetches; counts messages. */
        SUSPECTS,
        /** One call to the store gets no answer before the time-out of the network; counts nothing. */
        SILENCE,
        /** A transaction stays open longer than holes are remembered; counts nothing. */
        LATE_COMMIT
    }

    static Limits of(Dice dice) {
        Situation situation = dice.pick(List.of(Situation.values()));
        int amount = switch (situation) {
            case HOLES, DELAYED_PAIRS -> dice.between(200, 2_000);
            case HELD_KEYS -> dice.between(200, 4_000);
            case CLOSED_TOPIC -> dice.between(200, 8_000);
            case SUSPECTS -> dice.between(20, 50);
            case LOCKED_ROWS -> dice.between(1, 20);
            case SLOW_HEARTBEATS -> dice.between(200, 2_000);
            case NOTHING, SILENCE, LATE_COMMIT -> 0;
        };
        int latency = LATENCIES[dice.between(0, LATENCIES.length - 1)];
        return new Limits(situation, amount, Duration.ofMillis(latency));
    }

    /** How long the fresh messages take at most beside the time to drain. */
    long longest() {
        return situation == Situation.LATE_COMMIT ? LATE.multipliedBy(2).toNanos() : 0;
    }

    /** When relays have started and found their shards. */
    long warmUp() {
        return Duration.ofSeconds(3).plus(latency.multipliedBy(20)).toNanos();
    }

    /** How many relays there are at most: long calls of two would hold up each other. */
    int mostRelays() {
        return latency.toMillis() >= 100 ? 1 : 2;
    }

    /**
     * How long a message may take from the moment at which it could be sent. Messages that were enqueued before it are
     * fetched before it, and a fetch beside holes takes two round trips.
     *
     * @param batchSize how many messages a fetch returns
     */
    long bound(boolean late, int batchSize) {
        int before = situation == Situation.HOLES ? 2 * (amount / 2 / batchSize + 1) : 0;
        Duration disturbance = switch (situation) {
            case SLOW_HEARTBEATS -> Duration.ofMillis(4L * amount);
            case SILENCE -> NETWORK_TIMEOUT;
            default -> Duration.ZERO;
        };
        return (late ? FOUND_BY_AUDIT : SOON)
                .plus(latency.multipliedBy(ROUND_TRIPS + before))
                .plus(disturbance)
                .toNanos();
    }
}
