package dev.postrider.spring.boot;

import dev.postrider.saga.Reply;
import dev.postrider.saga.SagaListener;
import dev.postrider.saga.SagaStatus;
import dev.postrider.saga.StepReport;
import java.util.List;
import java.util.UUID;

/** Tells all listeners of the application what happens to sagas. Thread-safe. */
record SagaListeners(List<SagaListener> listeners) implements SagaListener {

    SagaListeners {
        listeners = List.copyOf(listeners);
    }

    @Override
    public void step(String saga, UUID id, StepReport step) {
        listeners.forEach(each -> each.step(saga, id, step));
    }

    @Override
    public void ended(String saga, UUID id, SagaStatus status) {
        listeners.forEach(each -> each.ended(saga, id, status));
    }

    @Override
    public void lateReply(Reply reply) {
        listeners.forEach(each -> each.lateReply(reply));
    }
}
