package dev.postrider.benchmarks.contest.arena;

import java.util.Map;

/**
 * A way to get messages from a transaction to a {@link Sink}, with the best settings its documentation names. A process
 * has one contender and may start and stop it several times; enqueueing works in both states.
 */
public interface Contender extends AutoCloseable {

    /** What was set, for the report. */
    Map<String, String> settings();

    /** Creates the tables it needs; the database has only the table of the orders. */
    void install() throws Exception;

    /** Runs the work in a transaction, commits it, and tells the delivering part if it is meant to know. */
    void transaction(Work work) throws Exception;

    /** Delivers to the sink from now on. */
    void start() throws Exception;

    /** Delivers nothing more. */
    void stop() throws Exception;

    /** Whether everything that has arrived in the sink is recorded as delivered, so that a crash repeats nothing. */
    boolean settled() throws Exception;

    @Override
    void close();

    /** What a transaction does. */
    @FunctionalInterface
    interface Work {

        void in(Transaction transaction) throws Exception;
    }

    /** What can be done in a transaction. */
    interface Transaction {

        /** The business change: one row. */
        void order(int number) throws Exception;

        /** One message in the same transaction. */
        void enqueue(int number, String key, String payload) throws Exception;
    }
}
