package dev.postrider.server.source;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.core.env.EnumerablePropertySource;

/** Settings of a source as Spring looks them up, with the origin that they had in the server's configuration. */
final class SourceProperties extends EnumerablePropertySource<Map<String, ConfigurationProperty>>
        implements OriginLookup<String> {

    SourceProperties(String name, Map<String, ConfigurationProperty> settings) {
        super(name, settings);
    }

    @Override
    public String[] getPropertyNames() {
        return source.keySet().toArray(String[]::new);
    }

    @Override
    public @Nullable Object getProperty(String name) {
        ConfigurationProperty property = source.get(name);
        return property == null ? null : property.getValue();
    }

    @Override
    public @Nullable Origin getOrigin(String name) {
        ConfigurationProperty property = source.get(name);
        return property == null ? null : property.getOrigin();
    }
}
