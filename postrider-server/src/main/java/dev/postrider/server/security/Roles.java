package dev.postrider.server.security;

import dev.postrider.console.ConsoleRole;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/** The roles of the console as authorities of Spring Security; each role has the authorities of those below it. */
final class Roles {

    private static final String PREFIX = "ROLE_";

    private Roles() {}

    static Optional<ConsoleRole> named(String name) {
        return Stream.of(ConsoleRole.values())
                .filter(role -> role.name().equals(name.toUpperCase(Locale.ROOT)))
                .findFirst();
    }

    static List<GrantedAuthority> authorities(ConsoleRole role) {
        return Stream.of(ConsoleRole.values())
                .filter(role::includes)
                .<GrantedAuthority>map(each -> new SimpleGrantedAuthority(PREFIX + each.name()))
                .toList();
    }

    static Optional<ConsoleRole> highest(Collection<? extends GrantedAuthority> authorities) {
        return Stream.of(ConsoleRole.values())
                .filter(role ->
                        authorities.stream().anyMatch(each -> (PREFIX + role.name()).equals(each.getAuthority())))
                .reduce((lower, higher) -> higher);
    }

    /** Returns the authorities of the highest role that a claim names; other values of the claim mean nothing here. */
    static List<GrantedAuthority> claimed(Object claim) {
        Stream<?> names = claim instanceof Collection<?> several
                ? several.stream()
                : Stream.of(String.valueOf(claim).split("[ ,]+"));
        return names.flatMap(name -> named(String.valueOf(name)).stream())
                .reduce((a, b) -> a.includes(b) ? a : b)
                .map(Roles::authorities)
                .orElse(List.of());
    }
}
