package dev.postrider.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests as Standard Webhooks describes: HMAC-SHA-256 over id, time and body, once for each secret, so that a
 * receiver may know the old or the new one while a secret is changed. Immutable.
 */
final class Signature {

    private static final String ALGORITHM = "HmacSHA256";
    private static final String PREFIX = "whsec_";
    private static final int LEAST_BYTES = 24;
    private static final int MOST_BYTES = 64;

    private final List<SecretKeySpec> keys;

    private Signature(List<SecretKeySpec> keys) {
        this.keys = keys;
    }

    /**
     * Reads the secrets.
     *
     * @throws IllegalArgumentException if one is not {@code whsec_} and 24 to 64 bytes in Base64; it is not shown
     */
    static Signature with(String... secrets) {
        if (secrets.length == 0) {
            throw new IllegalArgumentException("At least one secret is needed to sign");
        }
        return new Signature(Arrays.stream(secrets).map(Signature::key).toList());
    }

    private static SecretKeySpec key(String secret) {
        byte[] key = secret.startsWith(PREFIX) ? decoded(secret.substring(PREFIX.length())) : new byte[0];
        if (key.length < LEAST_BYTES || key.length > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "A secret must be whsec_ followed by %d to %d bytes in Base64".formatted(LEAST_BYTES, MOST_BYTES));
        }
        return new SecretKeySpec(key, ALGORITHM);
    }

    private static byte[] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    /** Returns the headers that prove who sent this body at that time. */
    Map<String, String> headers(String id, long epochSecond, byte[] body) {
        byte[] head = "%s.%d.".formatted(id, epochSecond).getBytes(StandardCharsets.UTF_8);
        String signatures =
                keys.stream().map(key -> "v1," + sign(key, head, body)).collect(Collectors.joining(" "));
        return Map.of(
                "webhook-id", id,
                "webhook-timestamp", Long.toString(epochSecond),
                "webhook-signature", signatures);
    }

    private static String sign(SecretKeySpec key, byte[] head, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(head);
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JVM cannot sign with " + ALGORITHM, e);
        }
    }
}
