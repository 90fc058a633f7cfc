package dev.postrider.relay;

import dev.postrider.safety.DeadMessage;
import dev.postrider.safety.SafetyNet;
import dev.postrider.spi.Settlement;
import java.util.List;

/** Hands dead messages that the store refuses to the safety net. Thread-safe. */
final class NetListener implements RelayListener {

    private final SafetyNet net;
    private final String relay;

    NetListener(SafetyNet net, String relay) {
        this.net = net;
        this.relay = relay;
    }

    @Override
    public void settled(List<Settlement> outcomes) {
        long dead = outcomes.stream()
                .filter(settlement -> settlement.outcome() == Settlement.Outcome.DEAD)
                .count();
        net.recorded(dead);
    }

    @Override
    public void deadRefused(List<Settlement> dead, Throwable cause) {
        dead.forEach(settlement -> net.save(new DeadMessage(
                settlement.claimed().message(),
                settlement.claimed().seq(),
                settlement.claimed().attempt(),
                String.valueOf(settlement.error()),
                settlement.holdsKey(),
                settlement.claimed().defect(),
                net.now(),
                relay)));
    }
}
