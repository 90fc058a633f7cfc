package dev.postrider.server.security;

import dev.postrider.console.Caller;
import dev.postrider.console.servlet.CallerFinder;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;

/** Takes the caller from Spring Security; without a role of the server, it is nobody. */
final class ServerCallers implements CallerFinder {

    private final ServerProperties.Oidc oidc;

    ServerCallers(ServerProperties.Oidc oidc) {
        this.oidc = oidc;
    }

    @Override
    public Optional<Caller> caller(HttpServletRequest request) {
        if (request.getUserPrincipal() instanceof Authentication caller && caller.isAuthenticated()) {
            String name = name(caller);
            return RoleNames.highest(caller.getAuthorities())
                    .filter(role -> !name.isBlank())
                    .map(role -> new Caller(name, role));
        }
        return Optional.empty();
    }

    private String name(Authentication caller) {
        String claimed =
                caller.getPrincipal() instanceof OidcUser user ? user.getClaimAsString(oidc.nameClaim()) : null;
        return claimed == null ? caller.getName() : claimed;
    }
}
