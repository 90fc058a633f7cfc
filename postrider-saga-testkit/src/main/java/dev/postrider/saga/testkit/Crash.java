package dev.postrider.saga.testkit;

/** Stands for a process that is killed: an error that neither the engine nor a decent step catches. */
final class Crash extends Error {

    private static final long serialVersionUID = 1L;

    Crash(String point) {
        super("The process is killed at " + point);
    }
}
