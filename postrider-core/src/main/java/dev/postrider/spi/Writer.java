package dev.postrider.spi;

import java.util.Objects;

/**
 * An open transaction that may still add rows.
 *
 * @param name the same for as long as the transaction is open
 * @param renamed whether it may have been listed under another name before, as a transaction that was prepared
 */
public record Writer(String name, boolean renamed) {

    /** Requires a name. */
    public Writer {
        Objects.requireNonNull(name, "name");
    }
}
