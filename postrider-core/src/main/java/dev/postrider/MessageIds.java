package dev.postrider;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;

/** Makes message ids. Thread-safe. */
final class MessageIds {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long VERSION_MASK = 0xFFFF_FFFF_FFFF_0FFFL;
    private static final long VARIANT_MASK = 0x3FFF_FFFF_FFFF_FFFFL;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private MessageIds() {}

    /** Returns a UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, then random bits. */
    static UUID timeOrdered(Clock clock) {
        long high = (clock.millis() << 16) | (RANDOM.nextLong() & 0xFFFFL);
        return stamped(high, RANDOM.nextLong(), 7);
    }

    /**
     * Returns the one id every message with this dedupe key has, a UUIDv8. A producer whose role may only insert can so
     * name the first row without reading it.
     */
    static UUID ofDedupeKey(String namespace, String topic, String dedupeKey) {
        MessageDigest digest = sha256();
        for (String part : new String[] {namespace, topic, dedupeKey}) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            digest.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            digest.update(bytes);
        }
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        return stamped(hash.getLong(), hash.getLong(), 8);
    }

    private static UUID stamped(long high, long low, int version) {
        return new UUID((high & VERSION_MASK) | ((long) version << 12), (low & VARIANT_MASK) | VARIANT);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
