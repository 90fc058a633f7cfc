package dev.postrider.spring.boot.inbox;

import dev.postrider.inbox.InboxException;
import dev.postrider.inbox.InboxListener;
import dev.postrider.inbox.ParkReason;
import java.time.Duration;
import java.util.List;

/** Tells all listeners of the application what an inbox does. Thread-safe. */
record InboxListeners(List<InboxListener> listeners) implements InboxListener {

    InboxListeners {
        listeners = List.copyOf(listeners);
    }

    @Override
    public void processed(String consumer, int messages, Duration took) {
        listeners.forEach(each -> each.processed(consumer, messages, took));
    }

    @Override
    public void duplicate(String consumer) {
        listeners.forEach(each -> each.duplicate(consumer));
    }

    @Override
    public void skipped(String consumer) {
        listeners.forEach(each -> each.skipped(consumer));
    }

    @Override
    public void parked(String consumer, ParkReason reason) {
        listeners.forEach(each -> each.parked(consumer, reason));
    }

    @Override
    public void failed(String consumer, InboxException.Reason reason) {
        listeners.forEach(each -> each.failed(consumer, reason));
    }

    @Override
    public void repeated(String consumer) {
        listeners.forEach(each -> each.repeated(consumer));
    }
}
