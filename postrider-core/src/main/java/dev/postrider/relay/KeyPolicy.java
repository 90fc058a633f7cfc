package dev.postrider.relay;

/** What a message that fails does to later messages of its key. */
public enum KeyPolicy {
    /** They wait until it is delivered or discarded: the order of the key is kept whatever happens. */
    BLOCK_KEY,
    /** They go on: the failed message is delivered later, out of order. */
    PARK_AND_CONTINUE
}
