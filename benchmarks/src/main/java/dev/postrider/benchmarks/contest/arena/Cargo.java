package dev.postrider.benchmarks.contest.arena;

import java.nio.charset.StandardCharsets;

/**
 * What is transported: numbered JSON payloads of a fixed size, the number at a fixed place.
 *
 * @param keys how many keys the messages are spread over
 */
public record Cargo(int keys) {

    /** The size of a payload in bytes and in characters. */
    public static final int BYTES = 300;

    /** The topic, exchange or queue of the messages. */
    public static final String TOPIC = "orders";

    /** The type of the messages. */
    public static final String TYPE = "OrderPlaced";

    private static final String PREFIX = "{\"seq\":";
    private static final int DIGITS = 10;
    private static final String REST = rest();

    public Cargo {
        if (keys < 1) {
            throw new IllegalArgumentException("keys must be at least 1 but was " + keys);
        }
    }

    /** Returns the key of a message. */
    public String key(int number) {
        return "key-" + number % keys;
    }

    /** Returns the payload of a message. */
    public static String payload(int number) {
        return PREFIX + String.format("%010d", number) + REST;
    }

    /** Returns the number in a payload. */
    public static int number(byte[] payload) {
        int number = 0;
        for (int i = PREFIX.length(); i < PREFIX.length() + DIGITS; i++) {
            number = number * 10 + payload[i] - '0';
        }
        return number;
    }

    /** Returns the number in a payload. */
    public static int number(String payload) {
        return Integer.parseInt(payload, PREFIX.length(), PREFIX.length() + DIGITS, 10);
    }

    /** Returns the bytes of a payload. */
    public static byte[] bytes(String payload) {
        return payload.getBytes(StandardCharsets.US_ASCII);
    }

    private static String rest() {
        StringBuilder rest = new StringBuilder(",\"customer\":\"c-000042\",\"lines\":[17");
        while (PREFIX.length() + DIGITS + rest.length() + 5 <= BYTES) {
            rest.append(",17");
        }
        while (PREFIX.length() + DIGITS + rest.length() + 2 < BYTES) {
            rest.append('7');
        }
        return rest.append("]}").toString();
    }
}
