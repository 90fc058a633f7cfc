package dev.postrider.hibernate;

import java.lang.ref.WeakReference;
import java.util.List;

/**
 * Events that were removed from the entity that recorded them. The entity is referred to weakly, so that a transaction
 * that clears its session after every batch does not keep all entities in memory.
 */
final class TakenEvents {

    private final WeakReference<Object> owner;
    private final EventAccess access;
    private final List<Object> events;

    private TakenEvents(Object owner, EventAccess access, List<Object> events) {
        this.owner = new WeakReference<>(owner);
        this.access = access;
        this.events = events;
    }

    static TakenEvents from(Object owner, EventAccess access) {
        return new TakenEvents(owner, access, access.take(owner));
    }

    List<Object> events() {
        return events;
    }

    /** Whether nobody can try again with the entity. */
    boolean isOrphaned() {
        return owner.get() == null;
    }

    void giveBack() {
        Object aggregate = owner.get();
        if (aggregate != null) {
            access.putBack(aggregate, events);
        }
    }
}
