package dev.postrider.jdbc;

import dev.postrider.database.Session;
import dev.postrider.spi.Unblocked;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The messages that hold their keys, and those that wait behind them. */
interface HeldKeys {

    /** Makes the first message that holds each key due, if it waits for one ahead that is no longer there. */
    void promote(Session session, Collection<KeyName> keys) throws SQLException;

    /** How many waiting messages one call of {@link #unblock} looks at. */
    int UNBLOCKED_AT_ONCE = 1_000;

    /** Does the same for the next waiting messages of the shards above {@code after}. */
    Unblocked unblock(Session session, Set<Integer> shards, long after) throws SQLException;

    /** Returns the sequence of the first message of up to {@code limit} held keys. */
    List<Long> holders(Session session, int limit) throws SQLException;
}
