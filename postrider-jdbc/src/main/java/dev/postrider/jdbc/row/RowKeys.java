package dev.postrider.jdbc.row;

import dev.postrider.KeyRing;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * The keys that rows are written or read with; null where there are none. Immutable.
 *
 * @param acceptUnsigned whether a row without a signature may be published although there are keys to check one
 */
public record RowKeys(@Nullable KeyRing signing, @Nullable KeyRing encryption, boolean acceptUnsigned) {

    /** No keys: rows are neither signed nor encrypted. */
    public static final RowKeys NONE = new RowKeys(null, null, false);

    /** Refuses secrets that cannot encrypt or that also sign. */
    public RowKeys {
        if (encryption != null) {
            for (String id : encryption.ids()) {
                requireUsable(id, secret(encryption, id), signing);
            }
        }
    }

    /** Returns these keys, with others to sign or to check signatures with. */
    public RowKeys withSigning(KeyRing ring) {
        return new RowKeys(ring, encryption, acceptUnsigned);
    }

    /** Returns these keys, with others to encrypt or to decrypt with. */
    public RowKeys withEncryption(KeyRing ring) {
        return new RowKeys(signing, ring, acceptUnsigned);
    }

    /** Returns these keys without those for signatures. */
    public RowKeys withoutSigning() {
        return new RowKeys(null, encryption, acceptUnsigned);
    }

    /** Returns these keys for rows of which some have no signature. */
    public RowKeys acceptingUnsigned() {
        return new RowKeys(signing, encryption, true);
    }

    @Nullable MessageMac mac() {
        return signing == null ? null : new MessageMac(signing);
    }

    @Nullable PayloadCipher cipher() {
        return encryption == null ? null : new PayloadCipher(encryption);
    }

    private static void requireUsable(String id, byte[] secret, @Nullable KeyRing signing) {
        if (secret.length != KeyRing.SECRET_BYTES) {
            throw new IllegalArgumentException("Key '%s' must have %d bytes to encrypt with but has %d"
                    .formatted(id, KeyRing.SECRET_BYTES, secret.length));
        }
        if (signing != null
                && signing.ids().stream().anyMatch(other -> MessageDigest.isEqual(secret, secret(signing, other)))) {
            throw new IllegalArgumentException(
                    "Key '%s' encrypts and signs; use a key of its own for each".formatted(id));
        }
    }

    private static byte[] secret(KeyRing ring, String id) {
        return ring.key(id).orElseThrow().getEncoded();
    }
}
