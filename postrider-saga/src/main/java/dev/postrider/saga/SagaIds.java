package dev.postrider.saga;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;

/**
 * Ids in the layout of UUIDv7, so that every id tells how old it is. Those of messages are computed: a step that is
 * repeated enqueues the same ids, and whoever receives them twice sees that. Thread-safe.
 */
final class SagaIds {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long VARIANT_MASK = 0x3FFF_FFFF_FFFF_FFFFL;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private SagaIds() {}

    /** Returns the id of a new saga. */
    static UUID next(Clock clock) {
        return stamped(clock.millis(), RANDOM.nextLong(), RANDOM.nextLong());
    }

    /** Returns the time in an id. */
    static Instant time(UUID id) {
        return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
    }

    /**
     * Returns the id of a message.
     *
     * @param time when the saga was last advanced, or for one that is a single transaction, the time in its id
     * @param index counts the messages of the step in this direction
     */
    static UUID message(UUID saga, String step, Direction direction, int index, Instant time) {
        ByteBuffer hash = ByteBuffer.wrap(Hash.sha256(
                ByteBuffer.allocate(16)
                        .putLong(saga.getMostSignificantBits())
                        .putLong(saga.getLeastSignificantBits())
                        .array(),
                step.getBytes(StandardCharsets.UTF_8),
                new byte[] {0},
                direction.code().getBytes(StandardCharsets.UTF_8),
                ByteBuffer.allocate(Integer.BYTES).putInt(index).array()));
        return stamped(time.toEpochMilli(), hash.getLong(), hash.getLong());
    }

    /** Returns the key that another system may use to recognise a repeated call. */
    static String idempotencyKey(UUID saga, String step, Direction direction) {
        return "%s:%s:%s".formatted(saga, step, direction.code());
    }

    private static UUID stamped(long millis, long high, long low) {
        return new UUID((millis << 16) | 0x7000L | (high & 0x0FFFL), (low & VARIANT_MASK) | VARIANT);
    }
}
