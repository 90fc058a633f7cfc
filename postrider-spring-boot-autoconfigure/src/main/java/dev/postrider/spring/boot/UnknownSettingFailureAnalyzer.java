package dev.postrider.spring.boot;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Names settings that do not exist, where they stand, and the nearest one that does. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnknownSettingFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
        List<ConfigurationProperty> unknown = cause.getUnboundProperties().stream()
                .filter(property -> property.getName().toString().startsWith("postrider."))
                .toList();
        if (unknown.isEmpty()) {
            return null;
        }
        String description = unknown.stream()
                .map(property -> "There is no setting '%s' (%s)".formatted(property.getName(), origin(property)))
                .collect(Collectors.joining("\n"));
        String action = unknown.stream()
                .map(property -> "Write %s instead of %s, or remove it"
                        .formatted(SettingNames.nearest(property.getName().toString()), property.getName()))
                .collect(Collectors.joining("\n"));
        return new FailureAnalysis(description, action, cause);
    }

    private static String origin(ConfigurationProperty property) {
        return property.getOrigin() == null ? "of unknown origin" : String.valueOf(property.getOrigin());
    }
}
