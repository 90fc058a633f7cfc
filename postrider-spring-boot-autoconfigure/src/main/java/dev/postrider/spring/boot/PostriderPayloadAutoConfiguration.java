package dev.postrider.spring.boot;

import dev.postrider.jackson.JsonPayloadCodec;
import dev.postrider.spi.PayloadCodec;
import dev.postrider.spring.boot.internal.SettingsException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;

/** Configures the codec that turns objects into JSON payloads and back. */
@AutoConfiguration(before = PostriderAutoConfiguration.class)
@ConditionalOnClass(JsonPayloadCodec.class)
@EnableConfigurationProperties(PostriderProperties.class)
final class PostriderPayloadAutoConfiguration {

    private static final String TYPES = "postrider.payload.types";

    @Bean
    @ConditionalOnMissingBean(PayloadCodec.class)
    JsonPayloadCodec postriderPayloadCodec(
            PostriderProperties properties,
            ObjectProvider<PayloadCustomizer> types,
            ConfigurableEnvironment environment) {
        TypeNames.requireKept(environment);
        JsonPayloadCodec.Builder builder = JsonPayloadCodec.builder();
        return SettingsException.checked(
                () -> {
                    properties.payload().types().forEach((name, type) -> register(builder, name, type));
                    types.orderedStream().forEach(each -> each.register(builder));
                    return builder.build();
                },
                "The payload types do not fit together",
                "Correct %s, or the bean of type PayloadCustomizer".formatted(TYPES));
    }

    private static void register(JsonPayloadCodec.Builder builder, String name, Class<?> type) {
        int colon = name.lastIndexOf(':');
        if (colon < 0) {
            builder.type(name, type);
            return;
        }
        try {
            builder.type(name.substring(0, colon), Integer.parseInt(name.substring(colon + 1)), type);
        } catch (NumberFormatException e) {
            throw new SettingsException(
                    "The version in %s.[%s] is no number".formatted(TYPES, name),
                    "Write %s.[%s:2]=%s".formatted(TYPES, name.substring(0, colon), type.getName()),
                    e);
        }
    }
}
