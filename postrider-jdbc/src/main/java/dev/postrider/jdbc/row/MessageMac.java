package dev.postrider.jdbc.row;

import dev.postrider.KeyRing;
import dev.postrider.OutboxMessage;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/** HMAC-SHA-256 over the canonical form of a message and its payload. Not thread-safe: one for each batch. */
final class MessageMac {

    private final KeyRing ring;
    private final Mac hmac;

    MessageMac(KeyRing ring) {
        this.ring = ring;
        try {
            this.hmac = Mac.getInstance("HmacSHA256");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has HmacSHA256", e);
        }
    }

    KeyRing ring() {
        return ring;
    }

    /**
     * Returns the signature with a key of the ring.
     *
     * @param payload what the row holds
     * @throws IllegalArgumentException if a text of the message has no UTF-8 form
     */
    byte[] of(SecretKey key, OutboxMessage message, @Nullable String payloadKey, byte[] payload) {
        try {
            hmac.init(key);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HMAC takes every key of a ring", e);
        }
        hmac.update(CanonicalForm.signed(message, payloadKey, payload.length));
        return hmac.doFinal(payload);
    }
}
