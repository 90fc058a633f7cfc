package dev.postrider.verification.simulator;

import dev.postrider.OutboxMessage;
import dev.postrider.relay.SteppedRelay;
import dev.postrider.retry.RetryPolicy;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.List;

/**
 * What a seed decides before anything happens.
 *
 * @param faults how many faults the nemesis has
 */
record Plan(
        long seed,
        Kind kind,
        int relays,
        int producers,
        int keys,
        int messages,
        int faults,
        SteppedRelay.Settings relay) {

    private static final long LIMITS_SALT = 0x2545F4914F6CDD1DL;

    static final int MAX_ATTEMPTS = 4;
    static final int QUARANTINE_AFTER = 3;
    static final String PARKED = "audit";
    static final List<String> TOPICS = List.of("orders", PARKED, "mail");

    /** How far the clock of a process runs fast or slow at most, in permille. */
    static final int DRIFT = 50;

    private static final RetryPolicy RETRY =
            RetryPolicy.exponentialWithJitter(Duration.ofMillis(40), Duration.ofMillis(300), MAX_ATTEMPTS);

    /** What a history is about. */
    enum Kind {
        /** Anything goes wrong. */
        CHAOS,
        /** Nothing goes wrong, but relays come and go gracefully: no message may be delivered twice. */
        GRACEFUL,
        /** Nothing goes wrong but a message that kills the process: no other message may suffer. */
        KILLER,
        /** Nothing fails, but the table or the network is at its limits: fresh messages must arrive soon. */
        LIMITS
    }

    static Plan of(long seed) {
        Dice dice = new Dice(seed);
        int roll = dice.between(1, 100);
        Kind kind = roll <= 82 ? Kind.CHAOS : roll <= 91 ? Kind.GRACEFUL : roll <= 96 ? Kind.KILLER : Kind.LIMITS;
        SteppedRelay.Times times = new SteppedRelay.Times(
                Duration.ofMillis(dice.between(600, 1_000) * (kind == Kind.LIMITS ? 3L : 1L)),
                Duration.ofMillis(dice.between(3_000, 5_000)),
                Duration.ofMillis(dice.between(900, 1_400)),
                RETRY);
        SteppedRelay.Settings settings = new SteppedRelay.Settings(
                "",
                new TopicName(OutboxMessage.DEFAULT_NAMESPACE, PARKED),
                dice.permille(150),
                kind == Kind.LIMITS ? dice.between(50, 200) : dice.between(2, 8),
                times);
        return new Plan(
                seed,
                kind,
                dice.between(2, 4),
                dice.between(3, 5),
                dice.between(4, 8),
                dice.between(20, 32),
                kind == Kind.CHAOS ? dice.between(0, 7) : 0,
                settings);
    }

    /** The situation of a history about limits. */
    Limits limits() {
        return kind == Kind.LIMITS ? Limits.of(new Dice(seed ^ LIMITS_SALT)) : Limits.NONE;
    }

    /** How long producers produce and faults happen. */
    long faultPhase() {
        return Duration.ofMillis(100L * messages).toNanos();
    }

    /** The least time a message is at the broker, by any clock, before its relay takes it for failed. */
    long shortestTimeout() {
        return relay.times().publishTimeout().toNanos() * (1_000 - DRIFT) / 1_000;
    }

    boolean blocksKey(PlannedMessage message) {
        return message.key() != null && !message.topic().equals(PARKED);
    }

    /** Whether the topic of the message promises any order at all. */
    boolean keepsOrder(PlannedMessage message) {
        return blocksKey(message) || (message.key() != null && !relay.pipelined());
    }

    SteppedRelay.Settings named(String name) {
        return new SteppedRelay.Settings(
                name, relay.parkedTopic(), relay.pipelined(), relay.batchSize(), relay.times());
    }
}
