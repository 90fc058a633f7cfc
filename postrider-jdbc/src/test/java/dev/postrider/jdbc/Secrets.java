package dev.postrider.jdbc;

import dev.postrider.KeyRing;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Keys for tests; the id of a key decides its secret. */
public final class Secrets {

    private Secrets() {}

    public static byte[] secret(String id) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    public static KeyRing ring(String id) {
        return KeyRing.of(id, secret(id));
    }

    /** A ring that writes with a new key and still reads what all keys of the old ring wrote. */
    public static KeyRing rotated(KeyRing ring, String id) {
        KeyRing rotated = ring(id);
        for (String old : ring.ids()) {
            rotated = rotated.accepting(old, secret(old));
        }
        return rotated;
    }
}
