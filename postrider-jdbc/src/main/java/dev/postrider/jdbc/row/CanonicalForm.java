package dev.postrider.jdbc.row;

import dev.postrider.OutboxMessage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a message as bytes that no two different messages share. It is part of the table's contract: numbers
 * are four bytes, big endian; a text is its length in bytes and then its UTF-8, an absent one the length -1; an id is
 * its 16 bytes. The first text says what the bytes are for and which version of the form they have.
 */
final class CanonicalForm {

    private static final String SIGNED = "postrider signature 1";
    private static final String ENCRYPTED = "postrider payload 1";
    private static final int ABSENT = -1;
    private static final int INITIAL_SIZE = 256;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(INITIAL_SIZE);

    private CanonicalForm(String purpose) {
        text(purpose);
    }

    /**
     * Returns what is signed, without the payload, which follows it as the row holds it.
     *
     * @throws IllegalArgumentException if a text has no UTF-8 form
     */
    static byte[] signed(OutboxMessage message, @Nullable String payloadKey, int payloadBytes) {
        return new CanonicalForm(SIGNED)
                .common(message, payloadKey)
                .text(message.tenant().orElse(null))
                .text(message.dedupeKey().orElse(null))
                .headers(message.headers())
                .number(payloadBytes)
                .bytes
                .toByteArray();
    }

    /**
     * Returns what binds an encrypted payload to its row.
     *
     * @throws IllegalArgumentException if a text has no UTF-8 form
     */
    static byte[] encrypted(OutboxMessage message, String payloadKey) {
        return new CanonicalForm(ENCRYPTED).common(message, payloadKey).bytes.toByteArray();
    }

    private CanonicalForm common(OutboxMessage message, @Nullable String payloadKey) {
        bytes.writeBytes(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(message.id().getMostSignificantBits())
                .putLong(message.id().getLeastSignificantBits())
                .array());
        return text(message.namespace())
                .text(message.topic())
                .text(message.key().orElse(null))
                .text(message.type())
                .number(message.version())
                .text(message.contentType())
                .text(payloadKey);
    }

    // By the bytes of their names, which every language can compare.
    private CanonicalForm headers(Map<String, String> headers) {
        TreeMap<byte[], String> sorted = new TreeMap<>(Arrays::compareUnsigned);
        headers.forEach((name, value) -> sorted.put(utf8(name), value));
        number(sorted.size());
        sorted.forEach((name, value) -> {
            number(name.length).bytes.writeBytes(name);
            text(value);
        });
        return this;
    }

    private CanonicalForm text(@Nullable String value) {
        if (value == null) {
            return number(ABSENT);
        }
        byte[] utf8 = utf8(value);
        number(utf8.length).bytes.writeBytes(utf8);
        return this;
    }

    private CanonicalForm number(int value) {
        bytes.write(value >>> 24);
        bytes.write(value >>> 16);
        bytes.write(value >>> 8);
        bytes.write(value);
        return this;
    }

    // A lone surrogate would become a question mark, and two different texts the same.
    private static byte[] utf8(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isHighSurrogate(value.charAt(i))
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(value.charAt(i))) {
                throw new IllegalArgumentException("A text is not valid Unicode");
            }
        }
        return value.getBytes(StandardCharsets.UTF_8);
    }
}
