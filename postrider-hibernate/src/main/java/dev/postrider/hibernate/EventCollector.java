package dev.postrider.hibernate;

import java.util.Map;
import java.util.Optional;
import org.hibernate.Hibernate;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.spi.AutoFlushEvent;
import org.hibernate.event.spi.AutoFlushEventListener;
import org.hibernate.event.spi.FlushEvent;
import org.hibernate.event.spi.FlushEventListener;
import org.hibernate.event.spi.MergeContext;
import org.hibernate.event.spi.MergeEvent;
import org.hibernate.event.spi.MergeEventListener;
import org.hibernate.event.spi.PostDeleteEvent;
import org.hibernate.event.spi.PostDeleteEventListener;
import org.hibernate.persister.entity.EntityPersister;

/**
 * Collects events after each flush. Its listeners follow those of Hibernate: entities that are cascaded to are in the
 * persistence context by then, identifiers are generated, and callbacks have recorded their events. Thread-safe.
 */
final class EventCollector
        implements FlushEventListener, AutoFlushEventListener, PostDeleteEventListener, MergeEventListener {

    private static final long serialVersionUID = 1;

    private final transient Aggregates aggregates;
    private final transient UnitsOfWork units;

    EventCollector(Aggregates aggregates, UnitsOfWork units) {
        this.aggregates = aggregates;
        this.units = units;
    }

    @Override
    public void onFlush(FlushEvent event) {
        collectAll(event.getSession());
    }

    // Without it a clear() after a query would forget what the query has flushed.
    @Override
    public void onAutoFlush(AutoFlushEvent event) {
        if (event.isFlushRequired()) {
            collectAll(event.getSession());
        }
    }

    private void collectAll(SharedSessionContractImplementor session) {
        for (Map.Entry<Object, EntityEntry> each :
                session.getPersistenceContextInternal().reentrantSafeEntityEntries()) {
            collect(
                    session,
                    each.getKey(),
                    each.getValue().getPersister(),
                    each.getValue().getId());
        }
        UnitOfWork unit = units.find(session);
        if (unit != null) {
            unit.flushed();
        }
    }

    // After the flush a deleted entity is no longer in the persistence context.
    @Override
    public void onPostDelete(PostDeleteEvent event) {
        collect(event.getSession(), event.getEntity(), event.getPersister(), event.getId());
    }

    private void collect(
            SharedSessionContractImplementor session, Object entity, EntityPersister persister, Object id) {
        Optional<EventAccess> access = aggregates.access(entity.getClass());
        if (access.isPresent() && (access.get().hasEvents(entity) || hasMerged(session, entity))) {
            units.of(session).collect(entity, access.get(), persister.getImportedName(), id);
        }
    }

    private boolean hasMerged(SharedSessionContractImplementor session, Object entity) {
        UnitOfWork unit = units.find(session);
        return unit != null && unit.hasMerged(entity);
    }

    @Override
    public void onMerge(MergeEvent event) {
        merge(event);
    }

    @Override
    public void onMerge(MergeEvent event, MergeContext copiedAlready) {
        merge(event);
    }

    // Hibernate copies the mapped state only; the events stay in the detached instance.
    private void merge(MergeEvent event) {
        if (event.getResult() == null || !Hibernate.isInitialized(event.getOriginal())) {
            return;
        }
        Object managed = Hibernate.unproxy(event.getResult());
        Object original = Hibernate.unproxy(event.getOriginal());
        Optional<EventAccess> access = aggregates.access(original.getClass());
        if (original != managed && access.isPresent() && access.get().hasEvents(original)) {
            units.of(event.getSession()).merge(managed, TakenEvents.from(original, access.get()));
        }
    }
}
