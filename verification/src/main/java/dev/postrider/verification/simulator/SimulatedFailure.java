package dev.postrider.verification.simulator;

import dev.postrider.OutboxException;

/** What the simulated infrastructure throws; anything else a relay throws is a bug of the relay. */
final class SimulatedFailure extends OutboxException {

    private static final long serialVersionUID = 1;

    SimulatedFailure(String message) {
        super(message, null);
    }

    // Millions of them are thrown and nobody reads where.
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
