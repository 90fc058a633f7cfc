package dev.postrider.jackson;

import dev.postrider.saga.SagaCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JavaType;

/**
 * Stores the context of a saga as JSON. Properties that a newer release has added are ignored by an older one, so
 * engines of both may run side by side. Thread-safe.
 */
public final class JsonSagaCodec<C> implements SagaCodec<C> {

    private final Class<C> context;
    private final CanonicalJson json;
    private final JavaType type;

    private JsonSagaCodec(Class<C> context, CanonicalJson json) {
        this.context = Objects.requireNonNull(context, "context");
        this.json = json;
        this.type = json.type(context);
    }

    /** Makes a codec for contexts of this class: a record, a sealed type or a bean. */
    public static <C> JsonSagaCodec<C> of(Class<C> context) {
        return of(context, JsonLimits.defaults());
    }

    /** Makes a codec with other limits, and modules of Jackson for classes of other libraries. */
    public static <C> JsonSagaCodec<C> of(Class<C> context, JsonLimits limits, JacksonModule... modules) {
        return new JsonSagaCodec<>(context, new CanonicalJson(limits, List.of(modules)));
    }

    @Override
    public String name() {
        return "json";
    }

    @Override
    public String encode(C value) {
        return new String(json.write(value, type), StandardCharsets.UTF_8);
    }

    @Override
    public C decode(String text) {
        return context.cast(json.read(json.tree(text.getBytes(StandardCharsets.UTF_8)), type));
    }
}
