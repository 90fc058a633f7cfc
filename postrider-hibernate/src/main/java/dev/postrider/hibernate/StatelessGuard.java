package dev.postrider.hibernate;

import dev.postrider.OutboxException;
import org.hibernate.StatelessSession;
import org.hibernate.event.spi.AbstractDatabaseOperationEvent;
import org.hibernate.event.spi.PreDeleteEvent;
import org.hibernate.event.spi.PreDeleteEventListener;
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.event.spi.PreUpdateEvent;
import org.hibernate.event.spi.PreUpdateEventListener;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;

/** Refuses to write an entity with events through a StatelessSession, which has no flush. Thread-safe. */
final class StatelessGuard
        implements PreInsertEventListener, PreUpdateEventListener, PreUpsertEventListener, PreDeleteEventListener {

    private static final long serialVersionUID = 1;

    private final transient Aggregates aggregates;

    StatelessGuard(Aggregates aggregates) {
        this.aggregates = aggregates;
    }

    @Override
    public boolean onPreInsert(PreInsertEvent event) {
        return check(event);
    }

    @Override
    public boolean onPreUpdate(PreUpdateEvent event) {
        return check(event);
    }

    @Override
    public boolean onPreUpsert(PreUpsertEvent event) {
        return check(event);
    }

    @Override
    public boolean onPreDelete(PreDeleteEvent event) {
        return check(event);
    }

    private boolean check(AbstractDatabaseOperationEvent event) {
        Object entity = event.getEntity();
        if (event.getSession() instanceof StatelessSession
                && aggregates
                        .access(entity.getClass())
                        .filter(each -> each.hasEvents(entity))
                        .isPresent()) {
            throw new OutboxException(
                    "A StatelessSession does not enqueue the events that %s has recorded; use a Session"
                            .formatted(event.getPersister().getImportedName()));
        }
        return false;
    }
}
