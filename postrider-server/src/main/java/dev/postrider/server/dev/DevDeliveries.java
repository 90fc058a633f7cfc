package dev.postrider.server.dev;

import dev.postrider.relay.RelayListener;
import dev.postrider.spi.Settlement;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what the relays of this process have delivered and given up. Thread-safe. */
final class DevDeliveries implements RelayListener {

    private final AtomicLong delivered = new AtomicLong();
    private final AtomicLong dead = new AtomicLong();

    @Override
    public void settled(List<Settlement> outcomes) {
        for (Settlement each : outcomes) {
            if (each.outcome() == Settlement.Outcome.DELIVERED) {
                delivered.incrementAndGet();
            } else if (each.outcome() == Settlement.Outcome.DEAD) {
                dead.incrementAndGet();
            }
        }
    }

    long delivered() {
        return delivered.get();
    }

    long dead() {
        return dead.get();
    }
}
