package dev.postrider.admin;

import java.time.Instant;
import java.util.Objects;

/**
 * A decision that still holds.
 *
 * @param decision who decided, and why
 * @param at when, by the database's clock
 */
public record Decided(Decision decision, Instant at) {

    /** Refuses a decision of nobody. */
    public Decided {
        Objects.requireNonNull(decision, "decision");
        Objects.requireNonNull(at, "at");
    }
}
