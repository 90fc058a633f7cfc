package dev.postrider.spring.boot;

import dev.postrider.spring.boot.internal.SettingsException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;

/** Refuses names of payload types that Spring Boot would change: outside brackets it drops some characters. */
final class TypeNames {

    private static final Pattern CHANGED =
            Pattern.compile("postrider\\.payload\\.types\\.([^\\[]*[^\\[A-Za-z0-9.-][^\\[]*)");

    private TypeNames() {}

    static void requireKept(ConfigurableEnvironment environment) {
        environment.getPropertySources().stream()
                .filter(EnumerablePropertySource.class::isInstance)
                .flatMap(source -> Arrays.stream(((EnumerablePropertySource<?>) source).getPropertyNames()))
                .map(CHANGED::matcher)
                .filter(Matcher::matches)
                .findFirst()
                .ifPresent(matcher -> {
                    throw new SettingsException(
                            "The payload type '%s' has characters that are only kept in brackets"
                                    .formatted(matcher.group(1)),
                            "Write postrider.payload.types.[%s]".formatted(matcher.group(1)),
                            null);
                });
    }
}
