package dev.postrider.console.live;

/**
 * What the relays of this process did with a topic.
 *
 * @param out how many messages were delivered
 * @param failed how many attempts failed
 */
record SettledCounts(long out, long failed) {

    static final SettledCounts NONE = new SettledCounts(0, 0);

    SettledCounts plus(SettledCounts other) {
        return new SettledCounts(out + other.out, failed + other.failed);
    }

    SettledCounts minus(SettledCounts other) {
        return new SettledCounts(out - other.out, failed - other.failed);
    }
}
