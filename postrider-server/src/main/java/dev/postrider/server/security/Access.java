package dev.postrider.server.security;

import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * The ways in which the server can get to know a caller.
 *
 * @param passwords users with passwords
 * @param login sign-in of a browser at an identity provider
 * @param tokens tokens of an identity provider with each request
 */
record Access(boolean passwords, boolean login, boolean tokens) {

    static Access of(ConfigurableEnvironment environment, ServerProperties properties) {
        return new Access(
                !properties.users().isEmpty(),
                isSet(environment, "spring.security.oauth2.client.registration"),
                isSet(environment, "spring.security.oauth2.resourceserver.jwt"));
    }

    private static boolean isSet(ConfigurableEnvironment environment, String prefix) {
        return Binder.get(environment)
                .bind(prefix, Bindable.mapOf(String.class, Object.class))
                .map(Map::isEmpty)
                .map(empty -> !empty)
                .orElse(false);
    }

    /** Returns whether there is any; without one, only the machine of the server may call it. */
    boolean knowsCallers() {
        return passwords || login || tokens;
    }
}
