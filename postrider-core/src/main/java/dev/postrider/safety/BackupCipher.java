package dev.postrider.safety;

import dev.postrider.KeyRing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * AES-256-GCM over a whole record: one byte for the length of the key's id, the id, a random nonce of 12 bytes, the
 * ciphertext and a tag of 16 bytes. The tag covers the id too.
 */
final class BackupCipher {

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private BackupCipher() {}

    static byte[] encrypt(KeyRing keys, byte[] plain) {
        byte[] id = keys.currentId().getBytes(StandardCharsets.US_ASCII);
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        try {
            byte[] secret =
                    cipher(Cipher.ENCRYPT_MODE, keys.current(), nonce, id).doFinal(plain);
            return ByteBuffer.allocate(1 + id.length + NONCE_BYTES + secret.length)
                    .put((byte) id.length)
                    .put(id)
                    .put(nonce)
                    .put(secret)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES takes every key that has passed the builder", e);
        }
    }

    static byte[] decrypt(@Nullable KeyRing keys, byte[] stored) throws IOException {
        if (stored.length == 0 || stored[0] < 0 || stored.length < 1 + stored[0] + NONCE_BYTES + TAG_BYTES) {
            throw new IOException("An encrypted record is too short");
        }
        ByteBuffer in = ByteBuffer.wrap(stored);
        byte[] id = new byte[in.get()];
        byte[] nonce = new byte[NONCE_BYTES];
        in.get(id).get(nonce);
        byte[] secret = new byte[in.remaining()];
        in.get(secret);
        SecretKey key = keys == null
                ? null
                : keys.key(new String(id, StandardCharsets.US_ASCII)).orElse(null);
        if (key == null) {
            throw new IOException("A record is encrypted with a key that is unknown here");
        }
        try {
            return cipher(Cipher.DECRYPT_MODE, key, nonce, id).doFinal(secret);
        } catch (GeneralSecurityException e) {
            throw new IOException("A record cannot be decrypted: it was changed, or the key is another one", e);
        }
    }

    private static Cipher cipher(int mode, SecretKey key, byte[] nonce, byte[] id) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
        cipher.updateAAD(id);
        return cipher;
    }
}
