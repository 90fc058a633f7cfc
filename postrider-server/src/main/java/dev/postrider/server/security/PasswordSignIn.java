package dev.postrider.server.security;

import org.springframework.security.authentication.AuthenticationProvider;

/**
 * What checks passwords. Not itself an {@code AuthenticationProvider} bean, because Spring Security would also make one
 * the fallback of every other check, and each failure would count twice.
 */
record PasswordSignIn(AuthenticationProvider provider) {}
