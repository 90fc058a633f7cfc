package dev.postrider.console.openapi;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Describes records as JSON schemas, the way they are written. Not thread-safe. */
final class JsonSchemas {

    private final Map<String, Object> schemas = new TreeMap<>();

    /** Returns a reference to the schema of a record, which is added unless it is known. */
    Map<String, Object> reference(Class<?> type) {
        String name = type.getSimpleName();
        if (!schemas.containsKey(name)) {
            // Before its members, which may refer to it.
            schemas.put(name, Map.of());
            schemas.put(name, object(type));
        }
        return Map.of("$ref", "#/components/schemas/" + name);
    }

    /** Returns the schemas by name. */
    Map<String, Object> all() {
        return schemas;
    }

    private Map<String, Object> object(Class<?> type) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        members(type, properties, required);
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        return schema;
    }

    private void members(Class<?> type, Map<String, Object> properties, List<String> required) {
        for (RecordComponent member : type.getRecordComponents()) {
            if (member.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                members(member.getType(), properties, required);
                continue;
            }
            JsonProperty renamed = member.getAccessor().getAnnotation(JsonProperty.class);
            String name = renamed == null ? member.getName() : renamed.value();
            properties.put(name, schema(member.getAnnotatedType()));
            if (!member.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                required.add(name);
            }
        }
    }

    private Map<String, Object> schema(AnnotatedType annotated) {
        Type type = annotated.getType();
        if (type instanceof ParameterizedType generic) {
            AnnotatedType[] arguments = ((AnnotatedParameterizedType) annotated).getAnnotatedActualTypeArguments();
            if (generic.getRawType() == Map.class) {
                return ordered("type", "object", "additionalProperties", schema(arguments[1]));
            }
            return ordered("type", "array", "items", item(arguments[0]));
        }
        return schema((Class<?>) type);
    }

    private Map<String, Object> item(AnnotatedType item) {
        Map<String, Object> schema = schema(item);
        Object type = schema.get("type");
        return item.isAnnotationPresent(Nullable.class) && type != null
                ? Map.of("type", List.of(type, "null"))
                : schema;
    }

    private Map<String, Object> schema(Class<?> type) {
        if (type.isRecord()) {
            return reference(type);
        }
        if (type.isEnum()) {
            return ordered(
                    "type",
                    "string",
                    "enum",
                    Arrays.stream(type.getEnumConstants()).map(Object::toString).toList());
        }
        if (type == UUID.class) {
            return ordered("type", "string", "format", "uuid");
        }
        if (type == Instant.class) {
            return ordered("type", "string", "format", "date-time");
        }
        if (type == int.class || type == Integer.class || type == long.class || type == Long.class) {
            return Map.of("type", "integer");
        }
        if (type == double.class || type == Double.class) {
            return Map.of("type", "number");
        }
        if (type == boolean.class || type == Boolean.class) {
            return Map.of("type", "boolean");
        }
        if (type == String.class) {
            return Map.of("type", "string");
        }
        throw new IllegalArgumentException("An answer has a member of type " + type.getName());
    }

    private static Map<String, Object> ordered(String first, Object one, String second, Object two) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(first, one);
        map.put(second, two);
        return map;
    }
}
