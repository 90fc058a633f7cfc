package dev.postrider.testkit;

import dev.postrider.Outbox;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** What {@link OutboxTest} registers; also to be used by {@code @RegisterExtension}. Thread-safe. */
public final class OutboxExtension implements ParameterResolver {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(OutboxExtension.class);

    /** For JUnit. */
    public OutboxExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parts(context).containsKey(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        Object part = parts(context).get(type);
        if (part == null) {
            throw new IllegalStateException("There is no part of type " + type);
        }
        return part;
    }

    // One set of parts per test: a @BeforeEach method and the test itself see the same.
    private static Map<Class<?>, Object> parts(ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .computeIfAbsent(Parts.class, ignored -> Parts.fresh(), Parts.class)
                .byType();
    }

    private record Parts(Map<Class<?>, Object> byType) {

        static Parts fresh() {
            VirtualClock clock = new VirtualClock();
            InMemoryOutboxStore store = new InMemoryOutboxStore(clock);
            InMemoryOutbox outbox = new InMemoryOutbox(store);
            RecordingPublisher publisher = new RecordingPublisher();
            return new Parts(Map.of(
                    VirtualClock.class, clock,
                    InMemoryOutboxStore.class, store,
                    InMemoryOutbox.class, outbox,
                    Outbox.class, outbox,
                    RecordingPublisher.class, publisher,
                    FlakyPublisher.class, new FlakyPublisher(publisher)));
        }
    }
}
