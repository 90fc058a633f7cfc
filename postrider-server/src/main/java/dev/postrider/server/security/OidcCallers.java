package dev.postrider.server.security;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.core.oidc.user.OidcUserAuthority;
import org.springframework.security.oauth2.core.user.OAuth2UserAuthority;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;

/** Turns the claims of an identity provider into names and roles of the server. */
final class OidcCallers {

    private final ServerProperties.Oidc settings;

    OidcCallers(ServerProperties.Oidc settings) {
        this.settings = settings;
    }

    /** Returns the authorities of somebody who has signed in with a browser. */
    Collection<? extends GrantedAuthority> authorities(Collection<? extends GrantedAuthority> granted) {
        Set<GrantedAuthority> authorities = new HashSet<>();
        for (GrantedAuthority each : granted) {
            if (each instanceof OidcUserAuthority oidc) {
                add(oidc.getIdToken().getClaim(settings.rolesClaim()), authorities);
            }
            if (each instanceof OAuth2UserAuthority user) {
                add(user.getAttributes().get(settings.rolesClaim()), authorities);
            }
        }
        return authorities;
    }

    private static void add(@Nullable Object claim, Set<GrantedAuthority> authorities) {
        if (claim != null) {
            authorities.addAll(Roles.claimed(claim));
        }
    }

    /** Returns the caller that a token stands for. */
    AbstractAuthenticationToken caller(Jwt token) {
        Object claim = token.getClaim(settings.rolesClaim());
        List<GrantedAuthority> authorities = new ArrayList<>(claim == null ? List.of() : Roles.claimed(claim));
        String name = token.getClaimAsString(settings.nameClaim());
        String known = name == null ? token.getSubject() : name;
        // A token that names nobody has a caller without a name, who is nobody.
        return new JwtAuthenticationToken(token, authorities, known == null ? "" : known);
    }
}
