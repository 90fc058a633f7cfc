package dev.postrider.jdbc;

import dev.postrider.spi.ClaimedMessage;
import java.util.List;

/** How a caller that drives its own loop claims rows, which every database does in its own way. */
interface ManualClaims {

    List<ClaimedMessage> claim(UnshardedRequest request);
}
