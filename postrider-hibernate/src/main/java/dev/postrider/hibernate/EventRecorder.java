package dev.postrider.hibernate;

import java.util.Collection;

/**
 * An entity that records domain events while it changes. The events are enqueued in the transaction that stores the
 * entity. Belongs to one thread at a time, as its entity does.
 */
public interface EventRecorder {

    /**
     * Returns the recorded events, oldest first: the collection itself and no copy, because the integration removes
     * from it what it enqueues and puts it back after a rollback.
     */
    Collection<Object> recordedEvents();
}
