package dev.postrider.jdbc;

import dev.postrider.database.Session;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The settling half of the store, which every database does in its own way. */
interface Outcomes {

    /** Writes the claim of this message into its rows, where the claim may be noted elsewhere. */
    default void writeIntoRows(Session session, ClaimedMessage claimed) throws SQLException {}

    int settle(List<Settlement> outcomes);

    int extend(List<ClaimedMessage> claims, Duration claimFor);
}
