package dev.postrider.inbox;

import dev.postrider.database.Session;
import java.sql.SQLException;
import java.util.OptionalInt;

/**
 * How it is noted, and known, that a consumer has handled a message. The mark is made before the handler runs. One for
 * each transaction.
 */
interface Marks {

    /**
     * Makes the mark if the message is new, no message holds it up, and it is not beyond the horizon. Waits for whoever
     * is just making it.
     */
    boolean claim(Session session, Incoming incoming) throws SQLException;

    /** Makes the mark if the message is new, whatever else speaks against it. */
    boolean claimReleased(Session session, Incoming incoming) throws SQLException;

    /** Tells whether the message is marked. */
    boolean exists(Session session, Incoming incoming) throws SQLException;

    /**
     * Proves that the transaction in which this made the mark is still the open one. The mark of another delivery is
     * not enough: it may have committed after our transaction was lost.
     *
     * @return how many failures are noted about the message; empty if the mark is gone or another's
     */
    OptionalInt check(Session session, Incoming incoming) throws SQLException;
}
