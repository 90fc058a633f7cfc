package dev.postrider.relay;

import dev.postrider.spi.Sighting;

/**
 * Whether there is probably something to claim, so that looking first would be a way for nothing, and how much. A
 * commit at rest brings a few messages, for which a store may have a quicker way. For one thread, apart from
 * {@link #expect}.
 */
final class Expectation {

    private static final int FEW = 16;
    private static final int MIXED_FOR = 64;

    private volatile boolean expecting;

    // Whether the last fetch took more than a few or left something, so that it will probably be a lot again.
    private boolean many;

    // For how many claims not to ask for a few: rows lay between that are not to be claimed, and then the quicker way
    // may be none.
    private int mixed;

    /** Messages have been enqueued. */
    void expect() {
        expecting = true;
    }

    boolean expecting() {
        return expecting;
    }

    /** Begins to claim what is expected, and returns how many rows to claim at most of those that may lie ahead. */
    int claim(int ahead) {
        expecting = false;
        boolean few = !many && mixed == 0;
        mixed = Math.max(0, mixed - 1);
        return few ? Math.min(FEW, ahead) : ahead;
    }

    /** Takes note of what such a claim saw among so many rows. */
    void saw(Sighting sighting, int ahead) {
        int seen = sighting.seen().size();
        if (ahead <= FEW && seen > 1 && seen > sighting.batch().messages().size()) {
            mixed = MIXED_FOR;
        }
    }

    /** Takes note of what a fetch came to. */
    void fetched(boolean more, int taken) {
        many = more || taken > FEW;
        if (more) {
            expecting = true;
        }
    }
}
