package dev.postrider.publish;

import dev.postrider.OutboxMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the name of a place at the broker is made from a message: text with any of {@code {namespace}}, {@code {topic}},
 * {@code {type}}, {@code {key}} and {@code {tenant}} in it. Immutable.
 */
public final class NameTemplate {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)}");
    private static final Map<String, Function<OutboxMessage, Optional<String>>> FIELDS = Map.of(
            "namespace", message -> Optional.of(message.namespace()),
            "topic", message -> Optional.of(message.topic()),
            "type", message -> Optional.of(message.type()),
            "key", OutboxMessage::key,
            "tenant", OutboxMessage::tenant);

    private final String template;
    private final List<Part> parts;

    /** A piece of text, followed by the value of a field unless it is the last one. */
    private record Part(String text, String field, Function<OutboxMessage, Optional<String>> value) {}

    private NameTemplate(String template, List<Part> parts) {
        this.template = template;
        this.parts = parts;
    }

    /**
     * Reads a template.
     *
     * @throws IllegalArgumentException if it is blank, has a stray brace or names an unknown field
     */
    public static NameTemplate of(String template) {
        if (template.isBlank()) {
            throw new IllegalArgumentException("The template must not be blank");
        }
        List<Part> parts = new ArrayList<>();
        Matcher matcher = PLACEHOLDER.matcher(template);
        int end = 0;
        while (matcher.find()) {
            parts.add(new Part(text(template, end, matcher.start()), matcher.group(1), field(template, matcher)));
            end = matcher.end();
        }
        parts.add(new Part(text(template, end, template.length()), "", message -> Optional.of("")));
        return new NameTemplate(template, List.copyOf(parts));
    }

    private static Function<OutboxMessage, Optional<String>> field(String template, Matcher matcher) {
        Function<OutboxMessage, Optional<String>> field = FIELDS.get(matcher.group(1));
        if (field == null) {
            throw new IllegalArgumentException("The template '%s' names {%s}; known are %s"
                    .formatted(template, matcher.group(1), new TreeSet<>(FIELDS.keySet())));
        }
        return field;
    }

    private static String text(String template, int from, int to) {
        String text = template.substring(from, to);
        if (text.indexOf('{') >= 0 || text.indexOf('}') >= 0) {
            throw new IllegalArgumentException("The template '%s' has a brace without its partner".formatted(template));
        }
        return text;
    }

    /**
     * Returns the name for this message.
     *
     * @throws IllegalArgumentException if the template needs a key or a tenant and the message has none
     */
    public String render(OutboxMessage message) {
        return render(message, UnaryOperator.identity());
    }

    /**
     * Returns the name for this message with every value changed by {@code escape}, where the place has a syntax of its
     * own; the text around the values stays as it is.
     *
     * @throws IllegalArgumentException if the template needs a key or a tenant and the message has none
     */
    public String render(OutboxMessage message, UnaryOperator<String> escape) {
        StringBuilder name = new StringBuilder();
        for (Part part : parts) {
            String value = part.value()
                    .apply(message)
                    .orElseThrow(
                            () -> new IllegalArgumentException("The template '%s' needs a %s but message %s has none"
                                    .formatted(template, part.field(), message.id())));
            name.append(part.text()).append(part.field().isEmpty() ? value : escape.apply(value));
        }
        return name.toString();
    }

    /** Returns the name if it is the same for every message. */
    public Optional<String> constant() {
        return parts.size() == 1 ? Optional.of(template) : Optional.empty();
    }

    @Override
    public String toString() {
        return template;
    }
}
