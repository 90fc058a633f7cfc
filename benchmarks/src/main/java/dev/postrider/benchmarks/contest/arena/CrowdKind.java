package dev.postrider.benchmarks.contest.arena;

/** What else is in Postrider's table while it is drained. */
public enum CrowdKind {
    /** Nothing. */
    NONE,
    /** A long history of delivered rows. */
    DELIVERED,
    /** A long backlog behind the messages that are measured. */
    PENDING,
    /** Rows that wait for their next attempt. */
    WAITING,
    /** Nothing, but a transaction keeps every old version of a row alive. */
    SNAPSHOT
}
