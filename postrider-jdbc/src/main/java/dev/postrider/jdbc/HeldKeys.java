package dev.postrider.jdbc;

import dev.postrider.database.Session;
import dev.postrider.jdbc.row.KeyName;
import dev.postrider.spi.Unblocked;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The messages that hold their keys, and those that wait behind them. Thread-safe. */
public interface HeldKeys {

    /** How many messages of one key {@link #promote} makes due at most. */
    int PROMOTED_AT_ONCE = 100;

    /**
     * Makes the first messages that hold each key due, with one due time for all of them, if they wait for one ahead
     * that is no longer there. Stops at the first message of a key that does not wait for one ahead. Rows that another
     * session has locked are left to {@link #unblock}.
     */
    void promote(Session session, Collection<KeyName> keys) throws SQLException;

    /** How many waiting messages one call of {@link #unblock} looks at. */
    int UNBLOCKED_AT_ONCE = 1_000;

    /** Does the same for the next waiting messages of the shards above {@code after}; locked rows are left alone. */
    Unblocked unblock(Session session, Set<Integer> shards, long after) throws SQLException;

    /** Returns the sequence of the first message of up to {@code limit} held keys. */
    List<Long> holders(Session session, int limit) throws SQLException;
}
