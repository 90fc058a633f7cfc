package dev.postrider.jdbc;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Settlement;
import java.time.Duration;
import java.util.List;

/** The settling half of the store, which every database does in its own way. */
interface Outcomes {

    int settle(List<Settlement> outcomes);

    int extend(List<ClaimedMessage> claims, Duration claimFor);
}
