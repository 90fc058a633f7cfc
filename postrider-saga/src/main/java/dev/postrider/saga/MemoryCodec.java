package dev.postrider.saga;

import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps contexts in this process, for tests of sagas without a codec: the text is only their name. */
final class MemoryCodec<C> implements SagaCodec<C> {

    private final Map<String, C> contexts = new ConcurrentHashMap<>();

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String encode(C context) {
        String name = UUID.randomUUID().toString();
        contexts.put(name, context);
        return name;
    }

    @Override
    public C decode(String text) {
        return Objects.requireNonNull(contexts.get(text), text);
    }
}
