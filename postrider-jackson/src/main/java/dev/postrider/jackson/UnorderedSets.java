package dev.postrider.jackson;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.std.StdConvertingSerializer;
import tools.jackson.databind.type.CollectionType;
import tools.jackson.databind.type.TypeFactory;
import tools.jackson.databind.util.Converter;

/** Marks the elements of sets in the draft of a text, because their order differs between JVMs. Thread-safe. */
final class UnorderedSets {

    // No data can hold it: it is made anew for each mapper and never leaves the process.
    private final String marker = "%016x".formatted(new SecureRandom().nextLong());

    String marker() {
        return marker;
    }

    JacksonModule module() {
        return new SimpleModule("postrider-sets").setSerializerModifier(new Marking(marker));
    }

    private static final class Marking extends ValueSerializerModifier {

        private final String marker;

        Marking(String marker) {
            this.marker = marker;
        }

        @Override
        public ValueSerializer<?> modifyCollectionSerializer(
                SerializationConfig config,
                CollectionType type,
                BeanDescription.Supplier description,
                ValueSerializer<?> serializer) {
            return Set.class.isAssignableFrom(type.getRawClass())
                    ? new MarkedSet(new Marked(marker, type.getContentType()))
                    : serializer;
        }
    }

    /** Turns a set into an object whose only key is the marker. */
    private record Marked(String marker, JavaType element) implements Converter<Object, Object> {

        @Override
        public Object convert(SerializationContext context, Object set) {
            return Map.of(marker, new ArrayList<>((Set<?>) set));
        }

        @Override
        public Object convert(DeserializationContext context, Object value) {
            throw new UnsupportedOperationException("Sets are read as arrays");
        }

        @Override
        public JavaType getInputType(TypeFactory types) {
            return types.constructCollectionType(Set.class, element);
        }

        @Override
        public JavaType getOutputType(TypeFactory types) {
            return types.constructMapType(
                    Map.class, types.constructType(String.class), types.constructCollectionType(List.class, element));
        }
    }

    private static final class MarkedSet extends StdConvertingSerializer {

        MarkedSet(Converter<Object, ?> converter) {
            super(converter);
        }

        private MarkedSet(
                Converter<Object, ?> converter,
                JavaType type,
                @Nullable ValueSerializer<?> delegate,
                @Nullable BeanProperty property) {
            super(converter, type, delegate, property);
        }

        @Override
        protected StdConvertingSerializer withDelegate(
                Converter<Object, ?> converter,
                JavaType type,
                @Nullable ValueSerializer<?> delegate,
                @Nullable BeanProperty property) {
            return new MarkedSet(converter, type, delegate, property);
        }

        // The object that stands for a set is never empty.
        @Override
        public boolean isEmpty(SerializationContext context, Object value) {
            return ((Set<?>) value).isEmpty();
        }
    }
}
