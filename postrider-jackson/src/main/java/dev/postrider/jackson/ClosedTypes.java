package dev.postrider.jackson;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;

/**
 * Sealed types without annotations: the property {@code @type} holds the simple name of the class, or what
 * {@code @JsonTypeName} says. Only what a sealed type permits can be named.
 */
final class ClosedTypes extends JacksonAnnotationIntrospector {

    private static final String PROPERTY = "@type";

    @Override
    public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(MapperConfig<?> config, Annotated annotated) {
        JsonTypeInfo.Value said = super.findPolymorphicTypeInfo(config, annotated);
        if (said != null) {
            requireNames(said, annotated);
            return said;
        }
        if (!(annotated instanceof AnnotatedClass type) || !isPartOfSealed(type.getRawType())) {
            return null;
        }
        return JsonTypeInfo.Value.construct(
                JsonTypeInfo.Id.NAME, JsonTypeInfo.As.PROPERTY, PROPERTY, null, false, null);
    }

    private static void requireNames(JsonTypeInfo.Value said, Annotated annotated) {
        if (said.getIdType() == JsonTypeInfo.Id.CLASS || said.getIdType() == JsonTypeInfo.Id.MINIMAL_CLASS) {
            throw new IllegalArgumentException(
                    "%s puts names of classes into its JSON: say @JsonTypeInfo(use = Id.NAME), or seal the type"
                            .formatted(annotated));
        }
    }

    @Override
    public @Nullable String findTypeName(MapperConfig<?> config, AnnotatedClass type) {
        String said = super.findTypeName(config, type);
        boolean unnamed = said == null || said.isEmpty();
        return unnamed && isPartOfSealed(type.getRawType()) ? type.getRawType().getSimpleName() : said;
    }

    private static boolean isPartOfSealed(Class<?> type) {
        if (type.isSealed()) {
            return true;
        }
        Class<?> parent = type.getSuperclass();
        if (parent != null && isPartOfSealed(parent)) {
            return true;
        }
        for (Class<?> each : type.getInterfaces()) {
            if (isPartOfSealed(each)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the classes of which a value of this type can be.
     *
     * @throws IllegalArgumentException if two of them have one simple name, or there are none
     */
    static Set<Class<?>> leaves(Class<?> type) {
        Set<Class<?>> leaves = new LinkedHashSet<>();
        collect(type, leaves);
        Set<String> names = new HashSet<>();
        for (Class<?> each : leaves) {
            if (!names.add(each.getSimpleName())) {
                throw new IllegalArgumentException(
                        "%s permits two classes named %s".formatted(type.getName(), each.getSimpleName()));
            }
        }
        return leaves;
    }

    private static void collect(Class<?> type, Set<Class<?>> leaves) {
        if (type.isSealed()) {
            for (Class<?> each : type.getPermittedSubclasses()) {
                collect(each, leaves);
            }
        }
        boolean isAbstract = Modifier.isAbstract(type.getModifiers());
        if (!isAbstract) {
            leaves.add(type);
        } else if (!type.isSealed()) {
            throw new IllegalArgumentException(
                    "%s is abstract and not sealed, so it could be anything: register the classes that implement it"
                            .formatted(type.getName()));
        }
    }
}
