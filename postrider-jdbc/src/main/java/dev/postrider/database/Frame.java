package dev.postrider.database;

import java.sql.SQLException;

/** Ends a transaction. Not thread-safe. */
interface Frame {

    /** Sends what is held back. */
    void flush() throws SQLException;

    /** Commits. */
    void commit() throws SQLException;

    /** Gives the connection back, after a rollback if the transaction is {@code open}. */
    void close(boolean open) throws SQLException;
}
