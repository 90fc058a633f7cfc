package dev.postrider.saga;

import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what a listener throws away from those who tell it something. */
record QuietListener(SagaListener listener) implements SagaListener {

    private static final Logger log = LoggerFactory.getLogger(SagaListener.class);

    @Override
    public void step(String saga, UUID id, StepReport step) {
        quietly(() -> listener.step(saga, id, step));
    }

    @Override
    public void ended(String saga, UUID id, SagaStatus status) {
        quietly(() -> listener.ended(saga, id, status));
    }

    @Override
    public void lateReply(Reply reply) {
        quietly(() -> listener.lateReply(reply));
    }

    private static void quietly(Runnable tell) {
        try {
            tell.run();
        } catch (RuntimeException | Error e) {
            log.warn("A listener of sagas failed", e);
        }
    }
}
