package dev.postrider.server.source;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * The settings of one source, under the names that the starter knows, each with its origin. Values that the process got
 * from outside stand apart, because a variable of the environment that begins like a setting is no mistake.
 *
 * @param name name of the source
 * @param written settings of files and of the command line
 * @param given settings of environment variables and system properties
 */
public record SourceSettings(
        String name, Map<String, ConfigurationProperty> written, Map<String, ConfigurationProperty> given) {

    /** The source that the settings without a prefix describe. */
    public static final String MAIN = "main";

    private static final ConfigurationPropertyName SOURCES = ConfigurationPropertyName.of("postrider.server.sources");
    private static final List<ConfigurationPropertyName> OF_MAIN =
            names("spring.datasource", "spring.kafka", "spring.rabbitmq", "postrider");
    private static final List<ConfigurationPropertyName> NOT_OF_MAIN = names("postrider.server", "postrider.console");
    private static final List<ConfigurationPropertyName> OF_ALL = names("spring.ssl");
    private static final Set<String> FROM_OUTSIDE = Set.of(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

    /** Copies the settings. */
    public SourceSettings {
        written = Collections.unmodifiableMap(new LinkedHashMap<>(written));
        given = Collections.unmodifiableMap(new LinkedHashMap<>(given));
    }

    /** Finds the sources that an environment describes: the main one if it has a database, and those with a name. */
    public static List<SourceSettings> of(ConfigurableEnvironment environment) {
        List<SourceSettings> found = new ArrayList<>();
        SourceSettings main = read(environment, MAIN, SourceSettings::ofMain);
        if (main.has("spring.datasource")) {
            found.add(main);
        }
        for (String name : named(environment)) {
            if (name.equals(MAIN) && !found.isEmpty()) {
                throw new StartException(
                        StartException.USAGE,
                        "Source main is described twice: remove spring.datasource.* or postrider.server.sources.main.*",
                        null);
            }
            int prefix = SOURCES.getNumberOfElements() + 1;
            found.add(read(
                    environment,
                    name,
                    each -> SOURCES.append(name).isAncestorOf(each) ? each.subName(prefix) : shared(each)));
        }
        return found;
    }

    /** Returns whether a setting of this name, or below it, exists. */
    public boolean has(String setting) {
        return has(written, setting) || has(given, setting);
    }

    /** Returns the value of a setting as text; empty if it is not set. */
    public String value(String setting) {
        ConfigurationPropertyName name = ConfigurationPropertyName.of(setting);
        return Stream.of(written, given)
                .flatMap(each -> each.entrySet().stream())
                .filter(each -> ConfigurationPropertyName.of(each.getKey()).equals(name))
                .map(each -> String.valueOf(each.getValue().getValue()))
                .findFirst()
                .orElse("");
    }

    private static boolean has(Map<String, ConfigurationProperty> settings, String wanted) {
        ConfigurationPropertyName name = ConfigurationPropertyName.of(wanted);
        return settings.keySet().stream()
                .map(ConfigurationPropertyName::of)
                .anyMatch(each -> each.equals(name) || name.isAncestorOf(each));
    }

    private static Set<String> named(ConfigurableEnvironment environment) {
        Set<String> names = new TreeSet<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource known) {
                known.stream()
                        .filter(SOURCES::isAncestorOf)
                        .filter(name -> name.getNumberOfElements() > SOURCES.getNumberOfElements() + 1)
                        .forEach(name -> names.add(
                                name.getElement(SOURCES.getNumberOfElements(), ConfigurationPropertyName.Form.DASHED)));
            }
        }
        return names;
    }

    private static SourceSettings read(
            ConfigurableEnvironment environment,
            String source,
            Function<ConfigurationPropertyName, ConfigurationPropertyName> shown) {
        Map<String, ConfigurationProperty> written = new LinkedHashMap<>();
        Map<String, ConfigurationProperty> given = new LinkedHashMap<>();
        Set<ConfigurationPropertyName> seen = new HashSet<>();
        for (ConfigurationPropertySource each : ConfigurationPropertySources.get(environment)) {
            if (each instanceof IterableConfigurationPropertySource known) {
                Map<String, ConfigurationProperty> into = fromOutside(each) ? given : written;
                for (ConfigurationPropertyName name : known) {
                    ConfigurationPropertyName own = shown.apply(name);
                    ConfigurationProperty property = own.isEmpty() ? null : known.getConfigurationProperty(name);
                    if (property != null && seen.add(own)) {
                        into.put(own.toString(), resolved(environment, property));
                    }
                }
            }
        }
        return new SourceSettings(source, written, given);
    }

    private static ConfigurationProperty resolved(ConfigurableEnvironment environment, ConfigurationProperty property) {
        if (property.getValue() instanceof String text) {
            return new ConfigurationProperty(
                    property.getName(), environment.resolveRequiredPlaceholders(text), property.getOrigin());
        }
        return property;
    }

    private static boolean fromOutside(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof PropertySource<?> underlying
                && FROM_OUTSIDE.contains(underlying.getName());
    }

    private static ConfigurationPropertyName ofMain(ConfigurationPropertyName name) {
        if (isBelow(name, OF_MAIN) && !isBelow(name, NOT_OF_MAIN)) {
            return name;
        }
        return shared(name);
    }

    private static ConfigurationPropertyName shared(ConfigurationPropertyName name) {
        return isBelow(name, OF_ALL) ? name : ConfigurationPropertyName.EMPTY;
    }

    private static boolean isBelow(ConfigurationPropertyName name, List<ConfigurationPropertyName> above) {
        return above.stream().anyMatch(each -> each.isAncestorOf(name));
    }

    private static List<ConfigurationPropertyName> names(String... names) {
        return List.of(names).stream().map(ConfigurationPropertyName::of).toList();
    }
}
