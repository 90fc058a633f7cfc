package dev.postrider.jackson;

import java.util.List;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

/**
 * Writes equal values as equal bytes, on every JVM, and reads them back: keys and sets are sorted, numbers and times
 * have one form. No class is chosen by a name in the text. Thread-safe.
 */
final class CanonicalJson {

    private static final int LONGEST_NUMBER = 100;
    private static final int LONGEST_NAME = 1_000;

    // In the draft an empty set has 12 times the bytes, and one more level.
    private static final int DRAFT_BYTES = 16;
    private static final int DRAFT_DEPTH = 2;

    private final JsonLimits limits;
    private final boolean declaredOrder;
    private final UnorderedSets sets = new UnorderedSets();
    private final JsonMapper drafts;
    private final JsonMapper mapper;

    CanonicalJson(JsonLimits limits, List<JacksonModule> modules) {
        this(limits, modules, false);
    }

    /** With {@code declaredOrder} the properties of objects are in the order of their declaration. */
    CanonicalJson(JsonLimits limits, List<JacksonModule> modules, boolean declaredOrder) {
        this.limits = limits;
        this.declaredOrder = declaredOrder;
        JsonMapper.Builder draft =
                mapper(factory(limits.maxDepth() * DRAFT_DEPTH, limits.maxBytes() * DRAFT_BYTES), modules, sets);
        this.drafts = (declaredOrder ? ordered(draft) : draft).build();
        this.mapper = mapper(factory(limits.maxDepth(), limits.maxBytes()), modules, sets)
                .build();
    }

    // Once it is a tree nothing tells an object from a map, so maps are sorted before.
    private static JsonMapper.Builder ordered(JsonMapper.Builder draft) {
        return draft.disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED);
    }

    private static JsonFactory factory(int maxDepth, int maxBytes) {
        return JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(maxDepth)
                        .maxDocumentLength(maxBytes)
                        .maxStringLength(maxBytes)
                        .maxNumberLength(LONGEST_NUMBER)
                        .maxNameLength(LONGEST_NAME)
                        .build())
                .streamWriteConstraints(StreamWriteConstraints.builder()
                        .maxNestingDepth(maxDepth)
                        .build())
                .build();
    }

    private static JsonMapper.Builder mapper(JsonFactory factory, List<JacksonModule> modules, UnorderedSets sets) {
        return JsonMapper.builder(factory)
                .addModules(modules)
                .addModule(sets.module())
                .annotationIntrospector(new ClosedTypes())
                // Nothing is allowed: an id that is the name of a class is refused before the class is looked for.
                .polymorphicTypeValidator(
                        BasicPolymorphicTypeValidator.builder().build())
                // The JDK's own writer of doubles changed its digits with JDK 19.
                .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING, EnumFeature.READ_ENUMS_USING_TO_STRING)
                .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS, DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID);
    }

    JavaType type(Class<?> type) {
        return mapper.constructType(type);
    }

    /**
     * Returns the value as JSON.
     *
     * @param type what it is declared as, which decides whether its own type is part of the text
     */
    byte[] write(Object value, JavaType type) {
        // Straight into a tree there is no limit for the depth, and a value that contains itself ends the stack.
        BoundedOutput draft = new BoundedOutput(limits.maxBytes() * DRAFT_BYTES);
        drafts.writerFor(type).writeValue(draft, value);
        JsonNode tree = drafts.readTree(draft.bytes());
        CanonicalTree.requireNumbers(tree);
        BoundedOutput output = new BoundedOutput(limits.maxBytes());
        mapper.writeValue(output, new CanonicalTree(sets.marker(), !declaredOrder).of(tree));
        return output.bytes();
    }

    JsonNode tree(byte[] json) {
        if (json.length > limits.maxBytes()) {
            throw new StreamConstraintsException(
                    "It has %d bytes but at most %d are allowed".formatted(json.length, limits.maxBytes()));
        }
        JsonNode tree = mapper.readTree(json);
        if (tree.isMissingNode()) {
            throw new StreamConstraintsException("It is empty");
        }
        CanonicalTree.requireNumbers(tree);
        return tree;
    }

    Object read(JsonNode tree, JavaType type) {
        Object value = mapper.treeToValue(tree, type);
        if (value == null) {
            throw new StreamConstraintsException("It is null");
        }
        return value;
    }
}
