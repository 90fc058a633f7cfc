package dev.postrider.jdbc.row;

import dev.postrider.KeyRing;
import dev.postrider.OutboxMessage;
import dev.postrider.spi.ErrorText;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/** Tells whether a row still is what was sealed, in words that give nothing of it away. Not thread-safe. */
final class SealCheck {

    static final String HASH =
            "The content hash does not fit: dedupe key, type, payload or hash is not what was enqueued";
    static final String UNSIGNED = "The row has no signature";
    static final String SIGNATURE = "The signature does not fit: the row is not what was enqueued";
    static final String PAYLOAD =
            "The payload cannot be decrypted: it, or a field it is bound to, is not what was enqueued";

    private static final int SHOWN = 100;

    private final ContentHash hash = new ContentHash();
    private final @Nullable MessageMac mac;
    private final @Nullable PayloadCipher cipher;
    private final boolean acceptUnsigned;

    /** A payload that must not be published. */
    static final class DefectException extends Exception {

        private static final long serialVersionUID = 1;

        DefectException(String defect) {
            super(defect, null, false, false);
        }

        String defect() {
            return String.valueOf(getMessage());
        }
    }

    SealCheck(RowKeys keys) {
        this.mac = keys.mac();
        this.cipher = keys.cipher();
        this.acceptUnsigned = keys.acceptUnsigned();
    }

    void hash(OutboxMessage message, byte[] payload, byte @Nullable [] expected) throws DefectException {
        require(
                MessageDigest.isEqual(hash.of(message.dedupeKey().orElse(null), message.type(), payload), expected),
                HASH);
    }

    /** Returns whether there are keys to check signatures with. */
    boolean verifies() {
        return mac != null;
    }

    /** Checks the signature of a row, if there are keys to do so. */
    void signature(
            OutboxMessage message,
            @Nullable String payloadKey,
            byte[] payload,
            byte @Nullable [] expected,
            @Nullable String keyId)
            throws DefectException {
        if (mac == null || (acceptUnsigned && expected == null && keyId == null)) {
            return;
        }
        if (expected == null || keyId == null) {
            throw new DefectException(UNSIGNED);
        }
        SecretKey key = key(mac.ring(), keyId, "signed");
        try {
            require(MessageDigest.isEqual(mac.of(key, message, payloadKey, payload), expected), SIGNATURE);
        } catch (IllegalArgumentException e) {
            throw new DefectException(SIGNATURE);
        }
    }

    /** Decrypts the payload of a row. */
    byte[] payload(OutboxMessage message, String payloadKey, byte[] payload) throws DefectException {
        if (cipher == null) {
            throw new DefectException(
                    "The payload is encrypted with key '%s' and there are no keys".formatted(shown(payloadKey)));
        }
        SecretKey key = key(cipher.ring(), payloadKey, "encrypted");
        try {
            return cipher.decrypt(key, message, payloadKey, payload);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new DefectException(PAYLOAD);
        }
    }

    private static SecretKey key(KeyRing ring, String id, String how) throws DefectException {
        SecretKey key = ring.key(id).orElse(null);
        if (key == null) {
            throw new DefectException("The row is %s with key '%s', which is unknown".formatted(how, shown(id)));
        }
        return key;
    }

    private static void require(boolean sound, String defect) throws DefectException {
        if (!sound) {
            throw new DefectException(defect);
        }
    }

    // The id may be anybody's text.
    private static String shown(String id) {
        return ErrorText.clean(id, SHOWN);
    }
}
