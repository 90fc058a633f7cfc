package dev.postrider.jackson;

import dev.postrider.OutboxMessage;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.UnknownPayloadException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Which class a logical name and version stand for. Names and classes are compared exactly. Immutable once built. */
final class PayloadTypes {

    private final Map<String, TreeMap<Integer, Entry>> entries = new HashMap<>();
    private final Map<Class<?>, PayloadType> byClass = new HashMap<>();
    private boolean classNames;

    /** What is known about a version: the class it is read into, or how it becomes the next version. */
    private record Entry(
            @Nullable PayloadType type, @Nullable UnaryOperator<ObjectNode> upcaster) {}

    PayloadTypes copy() {
        PayloadTypes copy = new PayloadTypes();
        entries.forEach((name, versions) -> copy.entries.put(name, new TreeMap<>(versions)));
        copy.byClass.putAll(byClass);
        copy.classNames = classNames;
        return copy;
    }

    void add(PayloadType type) {
        put(type.name(), type.version(), new Entry(type, null));
        for (Class<?> each : ClosedTypes.leaves(type.type())) {
            PayloadType other = byClass.putIfAbsent(each, type);
            if (other != null) {
                throw new IllegalArgumentException(
                        "%s is registered as %s and as %s".formatted(each.getName(), other, type));
            }
        }
    }

    /** Lets objects of classes that are not registered be written under the names of their classes. */
    void nameByClass() {
        classNames = true;
    }

    void addUpcaster(String name, int version, UnaryOperator<ObjectNode> upcaster) {
        put(name, version, new Entry(null, Objects.requireNonNull(upcaster, "upcaster")));
    }

    private void put(String name, int version, Entry entry) {
        // The rules for names and versions are those of the message that will carry them.
        OutboxMessage.to("topic", name).version(version).build();
        if (entries.computeIfAbsent(name, any -> new TreeMap<>()).putIfAbsent(version, entry) != null) {
            throw new IllegalArgumentException("Payload '%s' v%d is registered twice".formatted(name, version));
        }
    }

    /** Refuses upcasters that lead nowhere. */
    void requireTargets() {
        entries.forEach((name, versions) -> versions.forEach((version, entry) -> {
            if (entry.type() == null && !versions.containsKey(version + 1)) {
                throw new IllegalArgumentException(
                        "Payload '%s' v%d is upcast, but there is neither a type nor an upcaster for v%d"
                                .formatted(name, version, version + 1));
            }
        }));
    }

    /** Returns whether a payload may become an object of this class, which may be an interface of several. */
    /** Whether nothing can be written or read. */
    boolean isEmpty() {
        return entries.isEmpty() && !classNames;
    }

    boolean contains(Class<?> type) {
        return byClass.keySet().stream().anyMatch(type::isAssignableFrom);
    }

    PayloadType of(Object value) {
        PayloadType type = byClass.get(value.getClass());
        if (type == null && classNames && value.getClass().getCanonicalName() != null) {
            return new PayloadType(value.getClass().getName(), 1, value.getClass());
        }
        if (type == null) {
            String name = value.getClass().getName();
            throw new IllegalArgumentException(
                    "%s is no registered payload: call type(name, version, %s.class) on the builder of the codec;"
                                    .formatted(name, value.getClass().getSimpleName())
                            + " with Spring Boot, set postrider.payload.types.<name>");
        }
        return type;
    }

    /**
     * Returns how a payload of this name and version is read.
     *
     * @throws UnknownPayloadException if it is not registered
     */
    Reading reading(String name, int version) {
        Map<Integer, Entry> versions = entries.getOrDefault(name, new TreeMap<>());
        List<UnaryOperator<ObjectNode>> upcasters = new ArrayList<>();
        Entry entry = versions.get(version);
        for (int next = version + 1; entry != null; next++) {
            if (entry.type() != null) {
                return new Reading(entry.type(), upcasters);
            }
            upcasters.add(Objects.requireNonNull(entry.upcaster()));
            entry = versions.get(next);
        }
        throw unknown(name, version, versions);
    }

    private static UnknownPayloadException unknown(String name, int version, Map<Integer, Entry> versions) {
        String known = versions.isEmpty() ? "no version of it" : "the versions " + versions.keySet();
        return new UnknownPayloadException(
                "Payload '%s' v%d is not known here, but %s; register it with type(..) or upcast(..)"
                        .formatted(ErrorText.clean(name), version, known),
                null);
    }
}
