package dev.postrider.jdbc;

import dev.postrider.database.Session;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The messages that hold their keys, and those that wait behind them. */
interface HeldKeys {

    /** Makes the first message that holds each key due, if it waits for one ahead that is no longer there. */
    void promote(Session session, Collection<KeyName> keys) throws SQLException;

    /** Does the same for every key of the shards; returns how many messages are due again. */
    int unblock(Session session, Set<Integer> shards) throws SQLException;

    /** Returns the sequence of the first message of up to {@code limit} held keys. */
    List<Long> holders(Session session, int limit) throws SQLException;
}
