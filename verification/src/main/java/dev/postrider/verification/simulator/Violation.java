package dev.postrider.verification.simulator;

/**
 * An invariant that does not hold.
 *
 * @param at when it was seen
 * @param message the number of the message concerned, or {@link Fact#NOBODY}
 */
record Violation(Invariant invariant, long at, int message, String what) {

    @Override
    public String toString() {
        return "%s %s at %.4f m%d: %s".formatted(invariant.id(), invariant, at / 1e9, message, what);
    }
}
