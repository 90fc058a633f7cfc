package dev.postrider.database;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A transaction of a framework, begun for one handler or step, so that repositories which look for the framework's
 * transaction work in it. Postrider uses its connection and ends it through the framework. Not thread-safe.
 */
public interface FrameworkTransaction {

    /** Returns the connection of the transaction. Postrider neither commits, rolls back nor closes it. */
    Connection connection();

    /**
     * Sends to the database what the framework holds back, such as changed entities. What it throws counts as a failure
     * of the handler or step, so it also throws if a participant has asked for the rollback.
     */
    void flush() throws SQLException;

    /**
     * Commits.
     *
     * @throws SQLException if that failed; after a lost connection nobody knows whether it did
     */
    void commit() throws SQLException;

    /** Rolls back, unless the framework has ended the transaction already. */
    void rollback() throws SQLException;

    /** Begins transactions. Implementations are thread-safe. */
    @FunctionalInterface
    interface Source {

        /** Begins a new transaction at READ COMMITTED, also if one is open on the thread. */
        FrameworkTransaction begin() throws SQLException;
    }
}
