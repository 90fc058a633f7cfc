package dev.postrider.console.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Locale;
import java.util.Set;

/**
 * Refuses writes that a page of another origin has sent with the cookie of the caller. Every browser says where a write
 * comes from; a program that says nothing sends no cookie of a browser.
 */
final class OriginCheck {

    private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");

    private OriginCheck() {}

    static boolean passes(HttpServletRequest request) {
        if (READS.contains(request.getMethod().toUpperCase(Locale.ROOT))) {
            return true;
        }
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin");
        }
        String origin = request.getHeader("Origin");
        return origin == null || isOwn(request, origin);
    }

    private static boolean isOwn(HttpServletRequest request, String origin) {
        String host = request.getHeader("Host");
        try {
            return host != null && host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
