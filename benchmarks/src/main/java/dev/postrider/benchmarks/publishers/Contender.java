package dev.postrider.benchmarks.publishers;

/** One way to move the load. */
interface Contender extends AutoCloseable {

    String name();

    /** Moves the load once and returns how many messages it moved in a second. */
    double run(Load load) throws Exception;

    @Override
    default void close() {}
}
