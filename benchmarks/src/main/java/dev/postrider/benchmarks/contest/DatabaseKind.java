package dev.postrider.benchmarks.contest;

/** The databases of the contest. */
enum DatabaseKind {
    POSTGRESQL,
    MARIADB
}
