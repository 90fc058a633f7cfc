package dev.postrider.server.security;

import dev.postrider.server.source.StartException;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Finds settings below {@code postrider.server} that do not exist; those of a source are checked with the source. */
final class ServerSettingNames {

    private static final ConfigurationPropertyName SERVER = ConfigurationPropertyName.of("postrider.server");
    private static final Pattern KNOWN = Pattern.compile(
            "postrider\\.server\\.(sources\\..+|users\\..+\\.(password|role)|oidc\\.(roles-?claim|name-?claim))");

    // A variable of the environment that begins like a setting is no mistake.
    private static final Set<String> FROM_OUTSIDE = Set.of(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

    private ServerSettingNames() {}

    static void check(Environment environment) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource known && !isFromOutside(source)) {
                unknown(known).findFirst().ifPresent(name -> {
                    ConfigurationProperty property = known.getConfigurationProperty(name);
                    throw new StartException(
                            StartException.USAGE,
                            "There is no setting '%s' (%s); below postrider.server are sources.<name>, users.<name>.password"
                                            .formatted(name, property == null ? "unknown" : property.getOrigin())
                                    + " and .role, oidc.roles-claim and oidc.name-claim",
                            null);
                });
            }
        }
    }

    private static Stream<ConfigurationPropertyName> unknown(IterableConfigurationPropertySource source) {
        return source.stream()
                .filter(SERVER::isAncestorOf)
                .filter(name -> !KNOWN.matcher(name.toString()).matches());
    }

    private static boolean isFromOutside(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof PropertySource<?> underlying
                && FROM_OUTSIDE.contains(underlying.getName());
    }
}
