package dev.postrider.database;

import java.sql.SQLException;

/** Ends a transaction on a connection that was borrowed for it. */
record BorrowedFrame(Borrowed borrowed) implements Frame {

    @Override
    public void flush() {}

    @Override
    public void commit() throws SQLException {
        borrowed.connection().commit();
    }

    @Override
    public void close(boolean open) throws SQLException {
        try (var connection = borrowed.connection()) {
            if (open && !connection.isClosed()) {
                // What began a transaction may have failed after its first word.
                connection.setAutoCommit(false);
                connection.rollback();
            }
            borrowed.restore();
        }
    }
}
