package dev.postrider.jackson;

import dev.postrider.OutboxException;
import dev.postrider.OutboxMessage;
import dev.postrider.publish.RejectedMessageException;
import dev.postrider.spi.ErrorText;
import dev.postrider.spi.PayloadCodec;
import dev.postrider.spi.UnknownPayloadException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes objects as JSON payloads and reads them back. Each class is registered under a logical name and a version;
 * both are matched exactly, and no class is ever looked for by a name that stands in a message.
 *
 * <p>Equal objects become equal bytes on every JVM: keys and the elements of sets are sorted, unless
 * {@link Builder#declaredOrder()} is called. Unknown properties are ignored when a payload is read. Thread-safe.
 */
public final class JsonPayloadCodec implements PayloadCodec {

    private final JsonLimits limits;
    private final List<JacksonModule> modules;
    private final boolean declaredOrder;
    private final PayloadTypes types;
    private volatile @Nullable CanonicalJson loaded;

    private JsonPayloadCodec(Builder builder) {
        this.limits = builder.limits;
        this.modules = List.copyOf(builder.modules);
        this.declaredOrder = builder.declaredOrder;
        this.types = builder.types.copy();
        if (!types.isEmpty()) {
            json();
        }
    }

    // Loading Jackson takes a noticeable part of an application's start, which a codec without types must not cost.
    private CanonicalJson json() {
        CanonicalJson json = loaded;
        if (json == null) {
            synchronized (types) {
                json = loaded;
                if (json == null) {
                    json = new CanonicalJson(limits, modules, declaredOrder);
                    loaded = json;
                }
            }
        }
        return json;
    }

    /** Starts configuring; what is not registered is neither written nor read. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public OutboxMessage.Builder message(String topic, Object value) {
        PayloadType type = types.of(value);
        try {
            return OutboxMessage.to(topic, type.name())
                    .version(type.version())
                    .contentType("application/json")
                    .payload(json().write(value, json().type(type.type())));
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "Could not write payload %s as JSON: %s".formatted(type, e.getOriginalMessage()), e);
        }
    }

    @Override
    public boolean reads(Class<?> type) {
        return types.contains(type);
    }

    @Override
    public Object decode(String type, int version, byte[] payload) {
        Reading reading = types.reading(type, version);
        try {
            JsonNode tree = json().tree(payload);
            for (UnaryOperator<ObjectNode> each : reading.upcasters()) {
                tree = upcast(each, tree);
            }
            return json().read(tree, json().type(reading.type().type()));
        } catch (InvalidDefinitionException e) {
            throw new IllegalStateException("Payload %s cannot be read into its class".formatted(reading.type()), e);
        } catch (JacksonException e) {
            throw unreadable(type, version, e);
        }
    }

    // What Jackson says quotes the payload.
    private static OutboxException unreadable(String type, int version, JacksonException error) {
        String what = "Could not read payload '%s' v%d: ".formatted(ErrorText.clean(type), version);
        String place = " at " + ErrorPlace.of(error);
        return error instanceof InvalidTypeIdException unknown && unknown.getTypeId() != null
                ? new UnknownPayloadException(what + "it has a subtype that is not known here" + place, error)
                : new RejectedMessageException(what + error.getClass().getSimpleName() + place, error);
    }

    private static JsonNode upcast(UnaryOperator<ObjectNode> upcaster, JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            return Objects.requireNonNull(upcaster.apply(object), "An upcaster returned nothing");
        }
        throw new RejectedMessageException("The payload is no JSON object, so it cannot be upcast");
    }

    /** Collects what a {@link JsonPayloadCodec} knows. Not thread-safe. */
    public static final class Builder {

        private final PayloadTypes types = new PayloadTypes();
        private final List<JacksonModule> modules = new ArrayList<>();
        private JsonLimits limits = JsonLimits.defaults();
        private boolean declaredOrder;

        private Builder() {}

        /** Registers version 1 of a type. */
        public Builder type(String name, Class<?> type) {
            return type(name, 1, type);
        }

        /**
         * Registers a class, or a sealed type with all classes it permits.
         *
         * @throws IllegalArgumentException if the name and version, or the class, is registered already
         */
        public Builder type(String name, int version, Class<?> type) {
            types.add(new PayloadType(name, version, Objects.requireNonNull(type, "type")));
            return this;
        }

        /**
         * Says how a payload of an older version becomes one of the next version. For a version without a class.
         *
         * @param upcaster changes the object or returns another one
         */
        public Builder upcast(String name, int fromVersion, UnaryOperator<ObjectNode> upcaster) {
            types.addUpcaster(name, fromVersion, upcaster);
            return this;
        }

        /**
         * Writes objects whose class is not registered under the full name of their class, as version 1. Nothing is
         * read that is not registered: a reader registers the name for its own class, also after a rename. Default:
         * they are refused.
         */
        public Builder classNames() {
            types.nameByClass();
            return this;
        }

        /**
         * Writes the properties of a record in the order of its components, and those of other classes as their
         * {@code @JsonPropertyOrder} says. Maps and sets stay sorted. Default: properties are sorted.
         */
        public Builder declaredOrder() {
            this.declaredOrder = true;
            return this;
        }

        /** Adds a module of Jackson, for classes of other libraries. */
        public Builder module(JacksonModule module) {
            modules.add(Objects.requireNonNull(module, "module"));
            return this;
        }

        /** Sets how large a payload may be. Default {@link JsonLimits#defaults()}. */
        public Builder limits(JsonLimits value) {
            this.limits = Objects.requireNonNull(value, "limits");
            return this;
        }

        /**
         * Builds the codec.
         *
         * @throws IllegalArgumentException if an upcaster leads to a version that is not registered
         */
        public JsonPayloadCodec build() {
            types.requireTargets();
            return new JsonPayloadCodec(this);
        }
    }
}
