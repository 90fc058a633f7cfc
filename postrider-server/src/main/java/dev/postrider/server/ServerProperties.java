package dev.postrider.server;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the server that no source has.
 *
 * @param sources databases by name, each with the settings of the starter below its name
 * @param users who may sign in with a password, by name
 * @param oidc settings of callers that an identity provider vouches for
 */
@ConfigurationProperties(prefix = "postrider.server", ignoreUnknownFields = false)
record ServerProperties(
        @DefaultValue Map<String, Object> sources,
        @DefaultValue Map<String, User> users,
        @DefaultValue Oidc oidc) {

    ServerProperties {
        sources = Map.copyOf(sources);
        users = Map.copyOf(users);
    }

    /**
     * Who may sign in with a password.
     *
     * @param password hash of the password, such as {bcrypt}$2a$10$...
     * @param role what the user may do: viewer, operator or admin
     */
    record User(@Nullable String password, @Nullable String role) {}

    /**
     * Settings of callers that an identity provider vouches for.
     *
     * @param rolesClaim claim that holds the roles of a caller
     * @param nameClaim claim that the audit trail shows as the caller's name
     */
    record Oidc(
            @DefaultValue("roles") String rolesClaim,
            @DefaultValue("preferred_username") String nameClaim) {}
}
