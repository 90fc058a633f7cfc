package dev.postrider.jdbc.row;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * SHA-256 over {@code dedupe key|type|payload}, where an absent dedupe key is empty and the payload is what the row
 * holds. The rule is part of the table's contract, so that any language can insert a row. Not thread-safe: one for each
 * batch.
 */
final class ContentHash {

    /** How long a hash is. */
    static final int BYTES = 32;

    private static final byte SEPARATOR = '|';

    private final MessageDigest sha256;

    ContentHash() {
        try {
            this.sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }

    byte[] of(@Nullable String dedupeKey, String type, byte[] payload) {
        if (dedupeKey != null) {
            sha256.update(dedupeKey.getBytes(StandardCharsets.UTF_8));
        }
        sha256.update(SEPARATOR);
        sha256.update(type.getBytes(StandardCharsets.UTF_8));
        sha256.update(SEPARATOR);
        return sha256.digest(payload);
    }
}
