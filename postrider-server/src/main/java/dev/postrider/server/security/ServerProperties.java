package dev.postrider.server.security;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the server that no source has; the sources are found by their names.
 *
 * @param users who may sign in with a password, by name
 * @param oidc settings of callers that an identity provider vouches for
 */
@ConfigurationProperties(prefix = "postrider.server")
public record ServerProperties(
        @DefaultValue Map<String, User> users, @DefaultValue Oidc oidc) {

    /** Copies the users. */
    public ServerProperties {
        users = Map.copyOf(users);
    }

    /**
     * Who may sign in with a password.
     *
     * @param password hash of the password, such as {bcrypt}$2a$10$...
     * @param role what the user may do: viewer, operator or admin
     */
    public record User(@Nullable String password, @Nullable String role) {

        /** Names the role and not the password. */
        @Override
        public String toString() {
            return "User[role=%s]".formatted(role);
        }
    }

    /**
     * Settings of callers that an identity provider vouches for.
     *
     * @param rolesClaim claim that holds the roles of a caller: viewer, operator or admin
     * @param nameClaim claim that the audit trail shows as the name of a caller
     */
    public record Oidc(
            @DefaultValue("roles") String rolesClaim,
            @DefaultValue("preferred_username") String nameClaim) {}
}
