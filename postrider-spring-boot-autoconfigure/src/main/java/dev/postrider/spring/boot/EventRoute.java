package dev.postrider.spring.boot;

import dev.postrider.spring.OutboxEvent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionException;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/** Topic and key of the events of one class, as its annotation says. Thread-safe. */
record EventRoute(String topic, @Nullable Expression expression) {

    // Reads properties, and can neither call methods nor name types.
    private static final EvaluationContext PROPERTIES =
            SimpleEvaluationContext.forReadOnlyDataBinding().build();

    static Optional<EventRoute> of(Class<?> type) {
        return Optional.ofNullable(AnnotatedElementUtils.findMergedAnnotation(type, OutboxEvent.class))
                .map(annotation -> new EventRoute(annotation.topic(), parsed(type, annotation.key())));
    }

    private static @Nullable Expression parsed(Class<?> type, String key) {
        try {
            return key.isEmpty() ? null : new SpelExpressionParser().parseExpression(key, new TemplateParserContext());
        } catch (ExpressionException e) {
            throw new IllegalStateException(
                    "The key '%s' of @OutboxEvent on %s cannot be understood: write a property"
                                    .formatted(key, type.getName())
                            + " of the event as #{property}",
                    e);
        }
    }

    /** Returns the key of this event, or null if its class says none. */
    @Nullable String key(Object event) {
        if (expression == null) {
            return null;
        }
        Object value;
        try {
            value = expression.getValue(PROPERTIES, event);
        } catch (ExpressionException e) {
            throw new IllegalStateException(
                    "The key '%s' of @OutboxEvent cannot be read from a %s"
                            .formatted(
                                    expression.getExpressionString(),
                                    event.getClass().getName()),
                    e);
        }
        // Without its key the message could overtake an earlier one.
        if (value == null || value.toString().isEmpty()) {
            throw new IllegalArgumentException("The key '%s' of a %s is empty: publish the event when it has its key"
                    .formatted(
                            expression.getExpressionString(), event.getClass().getName()));
        }
        return value.toString();
    }
}
