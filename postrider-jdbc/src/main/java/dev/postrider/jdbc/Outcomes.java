package dev.postrider.jdbc;

import dev.postrider.database.Session;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The settling half of the store, which every database does in its own way. */
interface Outcomes {

    /** Lets every row of a claim say that it is claimed, where the claim may be noted elsewhere. */
    default void writeIntoRows(Session session, long token) throws SQLException {}

    int settle(List<Settlement> outcomes);

    int extend(List<ClaimedMessage> claims, Duration claimFor);
}
