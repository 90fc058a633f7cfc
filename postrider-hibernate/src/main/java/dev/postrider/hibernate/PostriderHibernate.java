package dev.postrider.hibernate;

import dev.postrider.OutboxMessage;
import dev.postrider.jdbc.JdbcOutbox;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistrationException;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;

/**
 * Enqueues the domain events that Hibernate's entities record, in the transaction that stores the entities. Either put
 * an instance into the settings of a SessionFactory under {@link #SETTING}, or {@link #register} it.
 *
 * <p>An entity records events as an {@link EventRecorder}, as a subclass of {@link AggregateRoot}, or in a field or
 * method with {@link RecordedEvents}. Each flush takes the events of every managed entity, and one batch before the
 * commit enqueues them. After a rollback the events are back in their entities.
 *
 * <p>Immutable and thread-safe.
 */
public final class PostriderHibernate {

    /** The setting of a SessionFactory whose value is a {@link PostriderHibernate}. */
    public static final String SETTING = "postrider.hibernate";

    private final Supplier<JdbcOutbox> outbox;
    private final EventMapper mapper;
    private final Runnable afterCommit;

    private PostriderHibernate(Supplier<JdbcOutbox> outbox, EventMapper mapper, Runnable afterCommit) {
        this.outbox = Objects.requireNonNull(outbox, "outbox");
        this.mapper = Objects.requireNonNull(mapper, "mapper");
        this.afterCommit = Objects.requireNonNull(afterCommit, "afterCommit");
    }

    /** Returns an integration that enqueues in this outbox, whose tables are in the database of the entities. */
    public static PostriderHibernate of(JdbcOutbox outbox, EventMapper mapper) {
        Objects.requireNonNull(outbox, "outbox");
        return of(() -> outbox, mapper);
    }

    /**
     * As above, with an outbox that may be made later than the SessionFactory: it is asked for when the first events
     * are enqueued, and each time after. For containers, where the outbox may need beans that need the entities.
     */
    public static PostriderHibernate of(Supplier<JdbcOutbox> outbox, EventMapper mapper) {
        return new PostriderHibernate(outbox, mapper, () -> {});
    }

    /** Runs the action after each commit that enqueued events, for example to wake a relay. Default: nothing. */
    public PostriderHibernate afterCommit(Runnable action) {
        return new PostriderHibernate(outbox, mapper, action);
    }

    /**
     * Adds the integration to a factory that was built without {@link #SETTING}. To be called before the first session.
     *
     * @throws IllegalArgumentException if an entity records events in a place that cannot be used
     * @throws IllegalStateException if the factory has an integration already
     */
    public void register(EntityManagerFactory factory) {
        SessionFactoryImplementor hibernate = factory.unwrap(SessionFactoryImplementor.class);
        List<Class<?>> entities = new ArrayList<>();
        hibernate.getMappingMetamodel().forEachEntityDescriptor(entity -> entities.add(entity.getMappedClass()));
        listen(hibernate.getServiceRegistry().requireService(EventListenerRegistry.class), entities.stream());
    }

    void listen(EventListenerRegistry listeners, Stream<Class<?>> entities) {
        Aggregates aggregates = new Aggregates();
        entities.filter(Objects::nonNull).forEach(aggregates::access);
        EventCollector collector = new EventCollector(aggregates, new UnitsOfWork(this));
        try {
            listeners.appendListeners(EventType.FLUSH, collector);
        } catch (EventListenerRegistrationException e) {
            throw new IllegalStateException(
                    "This SessionFactory has an integration of Postrider already, by register(..) or by the setting "
                            + SETTING,
                    e);
        }
        listeners.appendListeners(EventType.AUTO_FLUSH, collector);
        listeners.appendListeners(EventType.POST_DELETE, collector);
        listeners.appendListeners(EventType.MERGE, collector);
        StatelessGuard guard = new StatelessGuard(aggregates);
        listeners.appendListeners(EventType.PRE_INSERT, guard);
        listeners.appendListeners(EventType.PRE_UPDATE, guard);
        listeners.appendListeners(EventType.PRE_UPSERT, guard);
        listeners.appendListeners(EventType.PRE_DELETE, guard);
    }

    OutboxMessage message(RecordedEvent recorded) {
        return Objects.requireNonNull(
                mapper.message(recorded), () -> "The EventMapper returned nothing for " + recorded);
    }

    JdbcOutbox outbox() {
        return outbox.get();
    }

    Runnable afterCommit() {
        return afterCommit;
    }
}
