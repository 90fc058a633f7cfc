package dev.postrider.hibernate;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Which entity classes record events; each class is looked at once. Thread-safe. */
final class Aggregates {

    private final Map<Class<?>, Optional<EventAccess>> accesses = new ConcurrentHashMap<>();

    Optional<EventAccess> access(Class<?> type) {
        return accesses.computeIfAbsent(type, EventAccess::of);
    }
}
