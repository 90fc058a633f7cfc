package dev.postrider.server.security;

import dev.postrider.console.ConsoleRole;
import dev.postrider.console.servlet.LoopbackCallers;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/** Lets requests of this machine in as its administrator, and no others: the server has neither users nor OIDC. */
final class LocalCallerFilter extends OncePerRequestFilter {

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!LoopbackCallers.isLocal(request)) {
            ProblemAnswers.write(
                    response,
                    HttpServletResponse.SC_FORBIDDEN,
                    "not-permitted",
                    "This server has no users, so it answers requests of its own machine only",
                    "Call it as localhost, or configure postrider.server.users");
            return;
        }
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(
                UsernamePasswordAuthenticationToken.authenticated("local", null, Roles.authorities(ConsoleRole.ADMIN)));
        SecurityContextHolder.setContext(context);
        try {
            chain.doFilter(request, response);
        } finally {
            SecurityContextHolder.clearContext();
        }
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }
}
