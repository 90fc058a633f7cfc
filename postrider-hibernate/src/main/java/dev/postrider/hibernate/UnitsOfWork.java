package dev.postrider.hibernate;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/** The units of work of the open sessions of one factory that have had events. Thread-safe. */
final class UnitsOfWork {

    private final Map<SharedSessionContractImplementor, UnitOfWork> bySession = new ConcurrentHashMap<>();
    private final PostriderHibernate settings;

    UnitsOfWork(PostriderHibernate settings) {
        this.settings = settings;
    }

    @Nullable UnitOfWork find(SharedSessionContractImplementor session) {
        return bySession.get(session);
    }

    UnitOfWork of(SharedSessionContractImplementor session) {
        return bySession.computeIfAbsent(session, this::begin);
    }

    private UnitOfWork begin(SharedSessionContractImplementor session) {
        UnitOfWork unit = new UnitOfWork(session, settings, () -> bySession.remove(session));
        session.getEventListenerManager().addListener(unit);
        session.getTransactionCoordinator().addObserver(unit);
        return unit;
    }

    int size() {
        return bySession.size();
    }
}
