package dev.postrider.spi;

/** What operators want of a relay. */
public enum RelayMode {
    /** Claims and delivers. */
    RUN,
    /** Claims nothing and keeps its shards; what is at the broker comes to its end. */
    PAUSE,
    /** Claims nothing, hands its shards to other relays once nothing of them is in flight, and stands by. */
    DRAIN
}
