package dev.postrider.server.security;

import dev.postrider.console.servlet.SignIn;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.util.Map;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.authentication.WebAuthenticationDetails;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;

/** Signs users in with a session of the web server. */
final class SessionSignIn implements SignIn {

    private final HttpSessionSecurityContextRepository sessions = new HttpSessionSecurityContextRepository();
    private final AuthenticationProvider users;
    private final boolean takesPasswords;
    private final Map<String, String> providers;

    SessionSignIn(AuthenticationProvider users, boolean takesPasswords, Map<String, String> providers) {
        this.users = users;
        this.takesPasswords = takesPasswords;
        this.providers = Map.copyOf(providers);
    }

    @Override
    public Outcome signIn(HttpServletRequest request, HttpServletResponse response, String name, String password) {
        UsernamePasswordAuthenticationToken given = UsernamePasswordAuthenticationToken.unauthenticated(name, password);
        given.setDetails(new WebAuthenticationDetails(request));
        try {
            Authentication caller = users.authenticate(given);
            if (caller == null) {
                return Outcome.REFUSED;
            }
            begin(request, response, caller);
            return Outcome.SIGNED_IN;
        } catch (LockedException e) {
            return Outcome.TOO_MANY;
        } catch (AuthenticationException e) {
            return Outcome.REFUSED;
        }
    }

    private void begin(HttpServletRequest request, HttpServletResponse response, Authentication caller) {
        // A session that somebody has planted before the sign-in must not become that of the user.
        HttpSession old = request.getSession(false);
        if (old != null) {
            old.invalidate();
        }
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(caller);
        SecurityContextHolder.setContext(context);
        sessions.saveContext(context, request, response);
    }

    @Override
    public void signOut(HttpServletRequest request, HttpServletResponse response) {
        HttpSession session = request.getSession(false);
        if (session != null) {
            session.invalidate();
        }
        SecurityContextHolder.clearContext();
    }

    @Override
    public boolean canSignOut(HttpServletRequest request) {
        return request.getSession(false) != null;
    }

    @Override
    public boolean takesPasswords() {
        return takesPasswords;
    }

    @Override
    public Map<String, String> providers() {
        return providers;
    }
}
