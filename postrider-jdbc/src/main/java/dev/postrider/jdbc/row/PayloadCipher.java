package dev.postrider.jdbc.row;

import dev.postrider.KeyRing;
import dev.postrider.OutboxMessage;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * AES-256-GCM. What is stored is a random nonce of 12 bytes, the ciphertext, and a tag of 16 bytes; the tag also covers
 * the fields that make the row this row. Not thread-safe: one for each batch.
 */
final class PayloadCipher {

    /** How much longer a payload is when it is encrypted. */
    static final int OVERHEAD = 28;

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final KeyRing ring;
    private final Cipher cipher;

    PayloadCipher(KeyRing ring) {
        this.ring = ring;
        try {
            this.cipher = Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has AES/GCM/NoPadding", e);
        }
    }

    KeyRing ring() {
        return ring;
    }

    /** Encrypts with the current key of the ring. */
    byte[] encrypt(OutboxMessage message, byte[] plain) {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        byte[] stored = new byte[plain.length + OVERHEAD];
        System.arraycopy(nonce, 0, stored, 0, NONCE_BYTES);
        try {
            cipher.init(Cipher.ENCRYPT_MODE, ring.current(), new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(CanonicalForm.encrypted(message, ring.currentId()));
            cipher.doFinal(plain, 0, plain.length, stored, NONCE_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES takes every key of a ring for encryption", e);
        }
        return stored;
    }

    /**
     * Decrypts what {@link #encrypt} returned.
     *
     * @throws GeneralSecurityException if it was encrypted with another key or for another row, or changed since
     */
    byte[] decrypt(SecretKey key, OutboxMessage message, String payloadKey, byte[] stored)
            throws GeneralSecurityException {
        if (stored.length < OVERHEAD) {
            throw new AEADBadTagException("Shorter than a nonce and a tag");
        }
        cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, stored, 0, NONCE_BYTES));
        cipher.updateAAD(CanonicalForm.encrypted(message, payloadKey));
        return cipher.doFinal(stored, NONCE_BYTES, stored.length - NONCE_BYTES);
    }
}
