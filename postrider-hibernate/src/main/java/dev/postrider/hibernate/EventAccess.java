package dev.postrider.hibernate;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the collection in which the instances of one class record their events. Immutable. */
final class EventAccess {

    private final String place;
    private final Reading reading;

    @FunctionalInterface
    private interface Reading {

        @Nullable Object of(Object aggregate) throws ReflectiveOperationException;
    }

    private EventAccess(String place, Reading reading) {
        this.place = place;
        this.reading = reading;
    }

    /**
     * Returns where the class records events, or empty if it records none.
     *
     * @throws IllegalArgumentException if it says so in two places, or the place cannot be used
     */
    static Optional<EventAccess> of(Class<?> type) {
        List<EventAccess> found = new ArrayList<>(annotated(type).values());
        if (EventRecorder.class.isAssignableFrom(type)) {
            found.add(new EventAccess(
                    type.getName() + ".recordedEvents()", aggregate -> ((EventRecorder) aggregate).recordedEvents()));
        }
        if (found.size() > 1) {
            throw new IllegalArgumentException("%s records events in %d places, but one is allowed: %s"
                    .formatted(
                            type.getName(),
                            found.size(),
                            found.stream().map(each -> each.place).toList()));
        }
        return found.stream().findFirst();
    }

    // A method that a subclass overrides counts once.
    private static Map<String, EventAccess> annotated(Class<?> type) {
        Map<String, EventAccess> found = new LinkedHashMap<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (field.isAnnotationPresent(RecordedEvents.class)) {
                    found.put(name(field), field(field));
                }
            }
            for (Method method : each.getDeclaredMethods()) {
                if (method.isAnnotationPresent(RecordedEvents.class) && !method.isBridge()) {
                    found.putIfAbsent(method.getName() + "()", method(method));
                }
            }
        }
        return found;
    }

    private static EventAccess field(Field field) {
        requireCollection(field, field.getType());
        return new EventAccess(name(field), opened(field, field)::get);
    }

    private static EventAccess method(Method method) {
        requireCollection(method, method.getReturnType());
        if (method.getParameterCount() > 0) {
            throw new IllegalArgumentException(
                    "@RecordedEvents %s has parameters; it must have none".formatted(name(method)));
        }
        return new EventAccess(name(method), opened(method, method)::invoke);
    }

    private static void requireCollection(Member member, Class<?> type) {
        if (!Collection.class.isAssignableFrom(type)) {
            throw new IllegalArgumentException("@RecordedEvents %s is a %s; it must be a java.util.Collection"
                    .formatted(name(member), type.getName()));
        }
    }

    private static <T extends AccessibleObject> T opened(T object, Member member) {
        try {
            object.setAccessible(true);
            return object;
        } catch (InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    "@RecordedEvents %s cannot be read: open its package to dev.postrider.hibernate"
                            .formatted(name(member)),
                    e);
        }
    }

    private static String name(Member member) {
        return member.getDeclaringClass().getName() + "." + member.getName();
    }

    boolean hasEvents(Object aggregate) {
        Collection<Object> events = collection(aggregate);
        return events != null && !events.isEmpty();
    }

    /** Removes all events and returns them, oldest first. */
    List<Object> take(Object aggregate) {
        Collection<Object> events = collection(aggregate);
        if (events == null || events.isEmpty()) {
            return List.of();
        }
        List<Object> taken = List.copyOf(events);
        try {
            events.clear();
        } catch (UnsupportedOperationException e) {
            throw new IllegalStateException(place + " cannot be cleared: it must be a mutable collection", e);
        }
        if (hasEvents(aggregate)) {
            throw new IllegalStateException(place + " returns a copy: it must return the collection itself");
        }
        return taken;
    }

    /** Puts events back before those that were recorded since. */
    void putBack(Object aggregate, List<Object> taken) {
        Collection<Object> events = collection(aggregate);
        if (events == null) {
            throw new IllegalStateException(place + " was set to null: there is no place for the events to return to");
        }
        List<Object> later = List.copyOf(events);
        events.clear();
        events.addAll(taken);
        events.addAll(later);
    }

    @SuppressWarnings("unchecked")
    private @Nullable Collection<Object> collection(Object aggregate) {
        try {
            return (Collection<Object>) reading.of(aggregate);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Could not read the events in " + place, e);
        }
    }
}
