package dev.postrider.console;

import java.util.Objects;

/**
 * A request that the API answers.
 *
 * @param method an HTTP method, such as GET
 * @param template the path with variables in braces, such as {@code /api/v1/sources/{source}/messages/{id}}
 * @param role the least role that may ask
 * @param summary what it does, in one sentence
 */
public record ConsoleRoute(String method, String template, ConsoleRole role, String summary) {

    /** Refuses a route without a role, a path below {@code /api/} or a summary. */
    public ConsoleRoute {
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(role, "role");
        if (!template.startsWith("/api/")) {
            throw new IllegalArgumentException("A route begins with /api/ but this is '%s'".formatted(template));
        }
        if (summary.isBlank()) {
            throw new IllegalArgumentException("Route %s %s has no summary".formatted(method, template));
        }
    }

    /** Returns whether the path names a source. */
    public boolean ofSource() {
        return template.startsWith("/api/v1/sources/{source}/");
    }
}
