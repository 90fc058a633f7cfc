package dev.postrider.jdbc;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settled;
import dev.postrider.spi.Settlement;
import java.util.List;

/** How outcomes are written, which every database does in its own way. */
interface Outcomes {

    Settled settle(List<Settlement> outcomes);

    boolean beginTrial(ClaimedMessage claimed);
}
