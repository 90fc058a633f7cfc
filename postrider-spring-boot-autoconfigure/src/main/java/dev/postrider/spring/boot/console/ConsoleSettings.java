package dev.postrider.spring.boot.console;

import dev.postrider.console.SourceSetting;
import dev.postrider.spring.boot.PostriderProperties;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;

/** The settings in effect with where each was set. Secrets leave this class as dots. */
final class ConsoleSettings {

    private static final String HIDDEN = "••••";
    private static final int MOST = 500;
    private static final Pattern SECRET =
            Pattern.compile("password|passwd|secret|token|credential|private|apikey|api-key|jaas|passphrase|\\bkey\\b");
    private static final Pattern USER = Pattern.compile("//[^/@\\s]*@");
    private static final Pattern PARAMETER = Pattern.compile(
            "([?&;](?:password|sslpassword|user|token|secret|trustStorePassword|keyStorePassword)=)[^&;]*",
            Pattern.CASE_INSENSITIVE);
    private static final List<ConfigurationPropertyName> SHOWN = List.of(
            ConfigurationPropertyName.of("postrider"),
            ConfigurationPropertyName.of("spring.datasource"),
            ConfigurationPropertyName.of("spring.kafka"),
            ConfigurationPropertyName.of("spring.rabbitmq"));

    private ConsoleSettings() {}

    static List<SourceSetting> of(Environment environment, PostriderProperties properties) {
        List<SourceSetting> settings = new ArrayList<>();
        Set<ConfigurationPropertyName> seen = new HashSet<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource known) {
                for (ConfigurationPropertyName name : known) {
                    ConfigurationProperty property = shown(name) ? known.getConfigurationProperty(name) : null;
                    if (property != null && settings.size() < MOST && seen.add(name)) {
                        settings.add(setting(name.toString(), text(environment, property), origin(known, property)));
                    }
                }
            }
        }
        defaults("postrider", properties, seen, settings);
        settings.sort(Comparator.comparing(SourceSetting::name));
        return settings;
    }

    private static boolean shown(ConfigurationPropertyName name) {
        return SHOWN.stream().anyMatch(each -> each.isAncestorOf(name));
    }

    private static String text(Environment environment, ConfigurationProperty property) {
        return property.getValue() instanceof String text
                ? environment.resolvePlaceholders(text)
                : String.valueOf(property.getValue());
    }

    private static String origin(ConfigurationPropertySource source, ConfigurationProperty property) {
        Origin origin = property.getOrigin();
        if (origin != null) {
            return origin.toString();
        }
        return source.getUnderlyingSource() instanceof PropertySource<?> named ? named.getName() : "set in code";
    }

    private static SourceSetting setting(String name, String value, String origin) {
        boolean secret = SECRET.matcher(name.toLowerCase(Locale.ROOT)).find();
        String plain = PARAMETER
                .matcher(USER.matcher(value).replaceAll("//" + HIDDEN + "@"))
                .replaceAll("$1" + HIDDEN);
        return new SourceSetting(name, secret ? HIDDEN : plain, origin, secret);
    }

    private static void defaults(
            String prefix, Record group, Set<ConfigurationPropertyName> seen, List<SourceSetting> settings) {
        for (RecordComponent component : group.getClass().getRecordComponents()) {
            String name = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
            Object value = value(group, component);
            if (value instanceof Record inner) {
                defaults(name, inner, seen, settings);
            } else if (value != null && !isEmpty(value) && isUnset(name, seen)) {
                settings.add(setting(name, value.toString(), "default"));
            }
        }
    }

    private static boolean isEmpty(Object value) {
        return (value instanceof Map<?, ?> map && map.isEmpty()) || (value instanceof List<?> list && list.isEmpty());
    }

    private static boolean isUnset(String name, Set<ConfigurationPropertyName> seen) {
        ConfigurationPropertyName wanted = ConfigurationPropertyName.of(name);
        return seen.stream().noneMatch(each -> each.equals(wanted) || wanted.isAncestorOf(each));
    }

    private static @Nullable Object value(Record group, RecordComponent component) {
        try {
            return component.getAccessor().invoke(group);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("Could not read the setting " + component.getName(), e);
        }
    }
}
