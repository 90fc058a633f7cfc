package dev.postrider.hibernate;

import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.hibernate.SessionEventListener;
import org.hibernate.engine.jdbc.internal.JdbcCoordinatorImpl;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.resource.transaction.spi.TransactionObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one session has taken from its entities in the current transaction. The messages are written before the commit,
 * and earlier when there are many. After a commit the events are gone; otherwise they return to their entities. Belongs
 * to the thread of its session.
 */
final class UnitOfWork implements SessionEventListener, TransactionObserver {

    private static final Logger log = LoggerFactory.getLogger(UnitOfWork.class);
    private static final int MOST_PENDING = 1_000;

    private final SharedSessionContractImplementor session;
    private final PostriderHibernate settings;
    private final Runnable end;
    private final boolean shared;
    private final List<TakenEvents> taken = new ArrayList<>();
    private final List<TakenEvents> written = new ArrayList<>();
    private final IdentityHashMap<Object, List<TakenEvents>> merged = new IdentityHashMap<>();
    private final List<OutboxMessage> pending = new ArrayList<>();
    private boolean completing;
    private boolean closed;

    UnitOfWork(SharedSessionContractImplementor session, PostriderHibernate settings, Runnable end) {
        this.session = session;
        this.settings = settings;
        this.end = end;
        this.shared = isShared(session);
    }

    // Such a session has neither a transaction of its own nor a close that ends one.
    private static boolean isShared(SharedSessionContractImplementor session) {
        return session.getJdbcCoordinator() instanceof JdbcCoordinatorImpl coordinator
                && coordinator.getJdbcSessionOwner() != session;
    }

    /** Remembers the events of a detached instance until the managed one into which it was merged is flushed. */
    void merge(Object managed, TakenEvents detached) {
        merged.computeIfAbsent(managed, any -> new ArrayList<>()).add(detached);
    }

    boolean hasMerged(Object managed) {
        return merged.containsKey(managed);
    }

    /** Takes all events of an entity whose changes were flushed. */
    void collect(Object aggregate, EventAccess access, String type, Object id) {
        try {
            requireTransaction(type);
            int first = taken.size();
            taken.addAll(Objects.requireNonNullElse(merged.remove(aggregate), List.of()));
            taken.add(TakenEvents.from(aggregate, access));
            for (TakenEvents each : taken.subList(first, taken.size())) {
                for (Object event : each.events()) {
                    pending.add(settings.message(new RecordedEvent(event, aggregate, type, id)));
                }
            }
        } catch (RuntimeException | Error e) {
            refuseCommit();
            throw e;
        }
    }

    /** To be called at the end of a flush. */
    void flushed() {
        if (shared || completing || pending.size() >= MOST_PENDING) {
            write();
        }
    }

    @Override
    public void afterBegin() {}

    @Override
    public void beforeCompletion() {
        completing = true;
        write();
    }

    private void write() {
        if (pending.isEmpty()) {
            return;
        }
        try {
            session.doWork(connection -> settings.outbox().enqueueAll(connection, List.copyOf(pending)));
        } catch (RuntimeException | Error e) {
            refuseCommit();
            throw e;
        }
        pending.clear();
        written.removeIf(TakenEvents::isOrphaned);
        written.addAll(taken);
        taken.clear();
    }

    // Events outside of a transaction would be taken and never written.
    private void requireTransaction(String type) {
        if (!session.isTransactionInProgress()) {
            throw new OutboxException("Events of %s were flushed without a transaction; begin one".formatted(type));
        }
    }

    // A caller that overlooks the exception must not be able to commit the entity without its events.
    private void refuseCommit() {
        if (session.isTransactionInProgress()) {
            session.getTransactionCoordinator().getTransactionDriverControl().markRollbackOnly();
        }
    }

    // Hibernate calls this before it closes a session that was closed during its transaction.
    @Override
    public void transactionCompletion(boolean successful) {
        complete(successful);
    }

    @Override
    public void afterCompletion(boolean successful, boolean delayed) {
        complete(successful);
    }

    @Override
    public void end() {
        closed = true;
        if (!shared || !session.isTransactionInProgress()) {
            complete(false);
        }
    }

    private void complete(boolean committed) {
        if (committed && !pending.isEmpty()) {
            log.error(
                    "{} events were flushed too late in the commit to be enqueued; they are back in their entities",
                    pending.size());
        }
        boolean tell = committed && !written.isEmpty();
        merged.values().forEach(UnitOfWork::giveBack);
        giveBack(taken);
        if (!committed) {
            giveBack(written);
        }
        merged.clear();
        taken.clear();
        written.clear();
        pending.clear();
        completing = false;
        if (closed) {
            session.getTransactionCoordinator().removeObserver(this);
            end.run();
        }
        if (tell) {
            tellCommitted();
        }
    }

    // The last ones first, because each goes to the front.
    private static void giveBack(List<TakenEvents> events) {
        for (int i = events.size() - 1; i >= 0; i--) {
            events.get(i).giveBack();
        }
    }

    // The transaction is committed: an exception would only keep Hibernate from tidying up.
    private void tellCommitted() {
        try {
            settings.afterCommit().run();
        } catch (RuntimeException e) {
            log.warn("The afterCommit action failed; the messages are committed and wait for the next poll", e);
        }
    }
}
