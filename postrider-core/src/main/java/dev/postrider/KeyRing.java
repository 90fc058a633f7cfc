package dev.postrider;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Secret keys by their ids: the current one for what is written now, and older ones for what was written before. To
 * rotate, give a new ring with the new key as {@linkplain #accepting accepted} to everybody who reads, then one with
 * the new key as the current one to everybody who writes, and take the old key away when no row carries its id any
 * more.
 *
 * <p>Signing and encryption need different keys, so give each a ring of its own. Immutable.
 */
public final class KeyRing {

    /** The shortest secret, and the only length of a key that encrypts. */
    public static final int SECRET_BYTES = 32;

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}");

    private final String currentId;
    private final Map<String, SecretKeySpec> keys;

    private KeyRing(String currentId, Map<String, SecretKeySpec> keys) {
        this.currentId = currentId;
        this.keys = keys;
    }

    /**
     * Returns a ring with one key.
     *
     * @param id stored in every row that is written with the key: up to 100 letters, digits and {@code . _ : / -}
     * @param secret at least 32 random bytes; copied
     */
    public static KeyRing of(String id, byte[] secret) {
        return new KeyRing(requireId(id), Map.of(id, key(id, secret)));
    }

    /** Returns this ring with one more key, which reads what it wrote but writes nothing more. */
    public KeyRing accepting(String id, byte[] secret) {
        Map<String, SecretKeySpec> more = new LinkedHashMap<>(keys);
        if (more.put(requireId(id), key(id, secret)) != null) {
            throw new IllegalArgumentException("The ring has a key '%s' already".formatted(id));
        }
        return new KeyRing(currentId, more);
    }

    /** The id of the key that writes. */
    public String currentId() {
        return currentId;
    }

    /** The key that writes. */
    public SecretKey current() {
        return key(currentId).orElseThrow();
    }

    /** The ids of all keys. */
    public Set<String> ids() {
        return Set.copyOf(keys.keySet());
    }

    /** Returns the key of that id, if it is in the ring. */
    public Optional<SecretKey> key(String id) {
        return Optional.ofNullable(keys.get(Objects.requireNonNull(id, "id")));
    }

    /** Names the keys without their secrets. */
    @Override
    public String toString() {
        return "KeyRing[current=%s of %d]".formatted(currentId, keys.size());
    }

    private static String requireId(String id) {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "A key id is 1 to 100 letters, digits or . _ : / - and begins with a letter or digit, but this one"
                            + " has %d characters".formatted(id.length()));
        }
        return id;
    }

    // Both uses take the bytes as they are; the name of the algorithm is the one that is checked against it.
    private static SecretKeySpec key(String id, byte[] secret) {
        if (secret.length < SECRET_BYTES) {
            throw new IllegalArgumentException("The secret of key '%s' must have at least %d bytes but has %d"
                    .formatted(id, SECRET_BYTES, secret.length));
        }
        return new SecretKeySpec(secret, "AES");
    }
}
