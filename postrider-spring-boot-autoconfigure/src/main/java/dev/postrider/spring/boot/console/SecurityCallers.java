package dev.postrider.spring.boot.console;

import dev.postrider.console.Caller;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.servlet.CallerFinder;
import dev.postrider.spring.boot.PostriderProperties;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;

/** Takes the caller from Spring Security; without an authority that has a role here, it is nobody. */
final class SecurityCallers implements CallerFinder {

    private final PostriderProperties.Roles roles;

    SecurityCallers(PostriderProperties.Roles roles) {
        this.roles = roles;
    }

    @Override
    public Optional<Caller> caller(HttpServletRequest request) {
        if (!(request.getUserPrincipal() instanceof Authentication authentication)
                || !authentication.isAuthenticated()
                || authentication.getName().isBlank()) {
            return Optional.empty();
        }
        return role(authorities(authentication.getAuthorities()))
                .map(role -> new Caller(authentication.getName(), role));
    }

    private static Set<String> authorities(Collection<? extends GrantedAuthority> granted) {
        return granted.stream()
                .map(authority -> String.valueOf(authority.getAuthority()))
                .collect(Collectors.toSet());
    }

    private Optional<ConsoleRole> role(Set<String> granted) {
        if (isAmong(roles.admin(), granted)) {
            return Optional.of(ConsoleRole.ADMIN);
        }
        if (isAmong(roles.operator(), granted)) {
            return Optional.of(ConsoleRole.OPERATOR);
        }
        return isAmong(roles.viewer(), granted) ? Optional.of(ConsoleRole.VIEWER) : Optional.empty();
    }

    private static boolean isAmong(List<String> wanted, Set<String> granted) {
        return wanted.stream().anyMatch(granted::contains);
    }
}
