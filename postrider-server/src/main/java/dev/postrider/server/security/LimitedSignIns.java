package dev.postrider.server.security;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/** Checks passwords, but neither many after failures nor many at a time: each check is meant to be slow. */
final class LimitedSignIns implements AuthenticationProvider {

    private static final int AT_A_TIME = 2;
    private static final int LONGEST_NAME = 200;

    private final AuthenticationProvider users;
    private final SignInLimit limit;
    private final Semaphore checks = new Semaphore(AT_A_TIME);

    LimitedSignIns(AuthenticationProvider users, SignInLimit limit) {
        this.users = users;
        this.limit = limit;
    }

    @Override
    public @Nullable Authentication authenticate(Authentication given) {
        String name = given.getName();
        if (name.length() > LONGEST_NAME) {
            throw new BadCredentialsException("The name is too long");
        }
        String address = given.getDetails() instanceof WebAuthenticationDetails details
                ? String.valueOf(details.getRemoteAddress())
                : "unknown";
        if (!limit.allows(address, name) || !checks.tryAcquire()) {
            throw new LockedException("Too many sign-ins have failed");
        }
        try {
            return users.authenticate(given);
        } catch (AuthenticationException e) {
            limit.failed(address, name);
            throw e;
        } finally {
            checks.release();
        }
    }

    @Override
    public boolean supports(Class<?> authentication) {
        return users.supports(authentication);
    }
}
