package dev.postrider.benchmarks.contest.arena;

/** The databases of the contest. */
public enum DatabaseKind {
    POSTGRESQL,
    MARIADB
}
