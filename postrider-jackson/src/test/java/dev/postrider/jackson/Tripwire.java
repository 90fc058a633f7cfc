package dev.postrider.jackson;

/** Leaves a mark when it is initialised; a payload names it, and nothing else does. */
final class Tripwire {

    static {
        System.setProperty("tripwire", "touched");
    }

    private Tripwire() {}
}
