package dev.postrider.spi;

/**
 * How much one claim takes at most. The first message is taken whatever its size.
 *
 * @param messages at most so many messages
 * @param bytes at most so many bytes of payload
 */
public record ClaimSize(int messages, long bytes) {

    /** Checks that something can be taken. */
    public ClaimSize {
        if (messages < 1 || bytes < 1) {
            throw new IllegalArgumentException("A claim takes at least 1 message and 1 byte but was asked for %d and %d"
                    .formatted(messages, bytes));
        }
    }
}
