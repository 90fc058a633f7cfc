package dev.postrider.inbox;

import dev.postrider.spi.ErrorText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.OptionalLong;
import java.util.UUID;

/** Which ids, consumers and keys fit into the tables, and what stands for those that do not. Nothing is ever cut. */
final class MessageNames {

    static final int MAX_NAME = 100;
    static final int MAX_TOPIC = 255;
    static final int MAX_KEY = 250;
    static final int MAX_NAMESPACE = 100;
    private static final int MAX_SHOWN = 120;
    private static final int UUID_LENGTH = 36;
    private static final int TIME_ORDERED = 7;
    private static final int RFC_9562 = 2;
    private static final String HASHED = "sha256:";

    private MessageNames() {}

    static void require(String what, String value) {
        if (!fits(value)) {
            throw new IllegalArgumentException("%s must have 1 to %d printable ASCII characters but was '%s' (%d)"
                    .formatted(what, MAX_NAME, ErrorText.clean(value, MAX_SHOWN), value.length()));
        }
    }

    static boolean fits(String name) {
        return !name.isEmpty() && name.length() <= MAX_NAME && name.chars().allMatch(MessageNames::printable);
    }

    /** Returns the name under which a message without a usable id is parked; the same at each redelivery. */
    static String standIn(ReceivedMessage message) {
        String source = message.id().or(message::source).orElse("");
        if (source.isEmpty()) {
            return "no-id/" + UUID.randomUUID();
        }
        String readable = "no-id/" + source;
        return message.id().isEmpty() && fits(readable) ? readable : "no-id/" + hash(source);
    }

    /**
     * Returns the form of a key, topic or namespace that fits into its column and that equal ones share.
     *
     * @param plain whether the database stores nothing but ASCII
     */
    static String stored(String name, int maxLength, boolean plain) {
        boolean fits =
                name.length() <= maxLength && name.codePoints().noneMatch(c -> refused(c) || (plain && !printable(c)));
        return fits ? name : standsFor(name);
    }

    /** Returns what is stored in the place of a name that does not fit. */
    static String standsFor(String name) {
        return HASHED + hash(name);
    }

    static boolean printable(int character) {
        return character >= ' ' && character <= '~';
    }

    /** Returns the milliseconds since 1970 that a UUIDv7 tells; other ids tell nothing. */
    static OptionalLong millis(String id) {
        if (id.length() != UUID_LENGTH) {
            return OptionalLong.empty();
        }
        try {
            UUID uuid = UUID.fromString(id);
            return uuid.version() == TIME_ORDERED && uuid.variant() == RFC_9562
                    ? OptionalLong.of(uuid.getMostSignificantBits() >>> 16)
                    : OptionalLong.empty();
        } catch (IllegalArgumentException e) {
            return OptionalLong.empty();
        }
    }

    // PostgreSQL stores neither a zero nor half a character.
    private static boolean refused(int character) {
        return character == 0 || Character.getType(character) == Character.SURROGATE;
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
