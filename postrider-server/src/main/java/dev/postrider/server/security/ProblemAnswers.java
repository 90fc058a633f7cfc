package dev.postrider.server.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.core.AuthenticationException;

/** Answers of Spring Security in the form of the API's errors. No browser opens a window for a password. */
final class ProblemAnswers {

    private static final int TOO_MANY_REQUESTS = 429;

    private ProblemAnswers() {}

    static void signedOut(HttpServletRequest request, HttpServletResponse response, AuthenticationException reason)
            throws IOException {
        if (reason instanceof LockedException) {
            write(response, TOO_MANY_REQUESTS, "too-many", "Too many sign-ins have failed", "Wait a minute");
        } else {
            write(response, HttpServletResponse.SC_UNAUTHORIZED, "signed-out", "Nobody is signed in", "Sign in");
        }
    }

    static void refused(HttpServletRequest request, HttpServletResponse response, AccessDeniedException reason)
            throws IOException {
        write(
                response,
                HttpServletResponse.SC_FORBIDDEN,
                "not-permitted",
                "The caller may not do this",
                "Ask for a role that may");
    }

    /** Writes texts of this package; they need no escaping. */
    static void write(HttpServletResponse response, int status, String code, String title, String action)
            throws IOException {
        response.setStatus(status);
        response.setContentType("application/problem+json");
        response.setHeader("Cache-Control", "no-store");
        String body = "{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d,\"code\":\"%s\",\"do\":\"%s\"}"
                .formatted(title, status, code, action);
        response.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    }
}
