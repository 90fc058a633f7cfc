package dev.postrider.benchmarks.contest.arena;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Named values, handed from one process to another as {@code name=value}. Immutable. */
public final class Parameters {

    private final Map<String, String> values;

    private Parameters(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    public static Parameters none() {
        return new Parameters(Map.of());
    }

    public static Parameters parse(List<String> arguments) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("'%s' is not name=value".formatted(argument));
            }
            values.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        return new Parameters(values);
    }

    public Parameters with(String name, Object value) {
        Map<String, String> more = new LinkedHashMap<>(values);
        more.put(name, value.toString());
        return new Parameters(more);
    }

    public String text(String name) {
        @Nullable String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "parameter '%s' is missing, there are %s".formatted(name, values.keySet()));
        }
        return value;
    }

    public int number(String name) {
        return Integer.parseInt(text(name));
    }

    public int number(String name, int otherwise) {
        return values.containsKey(name) ? number(name) : otherwise;
    }

    public List<String> arguments() {
        return values.entrySet().stream()
                .map(value -> value.getKey() + "=" + value.getValue())
                .toList();
    }
}
