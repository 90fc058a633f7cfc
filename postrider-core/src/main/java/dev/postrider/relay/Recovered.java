package dev.postrider.relay;

import dev.postrider.spi.ClaimedMessage;
import java.util.List;

/** Tells of messages whose last claim ended without an outcome. */
final class Recovered {

    private Recovered() {}

    static void report(List<ClaimedMessage> claimed, RelayListener listener) {
        int recovered = 0;
        for (ClaimedMessage each : claimed) {
            recovered += each.lostClaims() > 0 ? 1 : 0;
        }
        if (recovered > 0) {
            listener.claimsRecovered(recovered);
        }
    }
}
