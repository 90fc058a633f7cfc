package dev.postrider.console;

import java.util.Objects;

/**
 * The person or program behind a request. The transport has checked who it is.
 *
 * @param name what the audit trail shows
 * @param role what the caller may do
 */
public record Caller(String name, ConsoleRole role) {

    /** Refuses a caller without a name or role. */
    public Caller {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A caller needs a name");
        }
        Objects.requireNonNull(role, "role");
    }
}
