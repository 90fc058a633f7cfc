package dev.postrider.hibernate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A base class for entities that record domain events. Neither its field nor its methods are mapped. Belongs to one
 * thread at a time, as its entity does.
 */
public abstract class AggregateRoot implements EventRecorder {

    // Made late: an instance that was deserialized has none. The methods are not final because Hibernate's proxies
    // must be able to pass them on.
    private transient @Nullable List<Object> recordedEvents;

    /** Creates an entity without events. */
    protected AggregateRoot() {}

    /** Records an event that is enqueued in the transaction that stores this entity. */
    protected void recordEvent(Object event) {
        recordedEvents().add(Objects.requireNonNull(event, "event"));
    }

    @Override
    public Collection<Object> recordedEvents() {
        if (recordedEvents == null) {
            recordedEvents = new ArrayList<>();
        }
        return recordedEvents;
    }
}
