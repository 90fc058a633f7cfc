package dev.postrider.jdbc;

import dev.postrider.KeyRing;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * The keys that rows are written or read with; null where there are none.
 *
 * @param acceptUnsigned whether a row without a signature may be published although there are keys to check one
 */
record RowKeys(@Nullable KeyRing signing, @Nullable KeyRing encryption, boolean acceptUnsigned) {

    static final RowKeys NONE = new RowKeys(null, null, false);

    RowKeys {
        if (encryption != null) {
            for (String id : encryption.ids()) {
                requireUsable(id, secret(encryption, id), signing);
            }
        }
    }

    RowKeys withSigning(KeyRing ring) {
        return new RowKeys(ring, encryption, acceptUnsigned);
    }

    RowKeys withEncryption(KeyRing ring) {
        return new RowKeys(signing, ring, acceptUnsigned);
    }

    RowKeys withoutSigning() {
        return new RowKeys(null, encryption, acceptUnsigned);
    }

    RowKeys acceptingUnsigned() {
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
