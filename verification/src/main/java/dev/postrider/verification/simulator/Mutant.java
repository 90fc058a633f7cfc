package dev.postrider.verification.simulator;

import dev.postrider.admin.OutboxAdmin;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.OutboxStore;
import java.util.function.LongSupplier;

/** The relay as it is, or broken in one way, to see whether the checker notices. */
enum Mutant {
    NONE;

    OutboxStore storeSide(OutboxStore store) {
        return store;
    }

    OutboxStore relaySide(OutboxStore store) {
        return store;
    }

    MessagePublisher publisher(MessagePublisher publisher) {
        return publisher;
    }

    LongSupplier clock(LongSupplier clock) {
        return clock;
    }

    OutboxAdmin admin(OutboxAdmin admin) {
        return admin;
    }
}
