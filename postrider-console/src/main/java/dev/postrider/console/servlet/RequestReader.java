package dev.postrider.console.servlet;

import dev.postrider.console.Caller;
import dev.postrider.console.ConsoleRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads HTTP requests within limits. */
final class RequestReader {

    /** Enough for the largest payload that an edit can carry, in Base64. */
    static final int MOST_BYTES = 4 * 1024 * 1024;

    private static final int MOST_PARAMETERS = 100;

    private RequestReader() {}

    /** Returns the decoded path below the servlet. */
    static String path(HttpServletRequest request) {
        String path = request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH
                ? request.getPathInfo()
                : request.getServletPath();
        return path == null || path.isEmpty() ? "/" : path;
    }

    /** Returns the path of the servlet itself, which ends with a slash. */
    static String mount(HttpServletRequest request) {
        return request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH
                ? request.getContextPath() + request.getServletPath() + "/"
                : request.getContextPath() + "/";
    }

    /**
     * Reads the request.
     *
     * @throws RefusedRequestException if it is too large or no JSON
     */
    static ConsoleRequest read(HttpServletRequest request, Caller caller) throws IOException {
        return new ConsoleRequest(
                request.getMethod().toUpperCase(Locale.ROOT),
                path(request),
                query(request.getQueryString()),
                body(request),
                caller);
    }

    static String body(HttpServletRequest request) throws IOException {
        String method = request.getMethod();
        if (method.equals("GET") || method.equals("HEAD")) {
            return "";
        }
        if (request.getContentLengthLong() > MOST_BYTES) {
            throw tooLarge();
        }
        byte[] body;
        try (InputStream in = request.getInputStream()) {
            body = in.readNBytes(MOST_BYTES + 1);
        }
        if (body.length > MOST_BYTES) {
            throw tooLarge();
        }
        if (body.length > 0 && !isJson(request.getContentType())) {
            throw new RefusedRequestException(HttpProblem.of(
                    415, "bad-request", "The body is not declared as JSON", "Send Content-Type: application/json"));
        }
        return new String(body, StandardCharsets.UTF_8);
    }

    // A form of a foreign page can send other types, but not this one.
    private static boolean isJson(@Nullable String contentType) {
        return contentType != null
                && contentType.toLowerCase(Locale.ROOT).split(";", 2)[0].strip().equals("application/json");
    }

    private static RefusedRequestException tooLarge() {
        return new RefusedRequestException(HttpProblem.of(
                413, "bad-request", "The body is larger than %d bytes".formatted(MOST_BYTES), "Send less at a time"));
    }

    static Map<String, List<String>> query(@Nullable String query) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        if (query == null || query.isEmpty()) {
            return parameters;
        }
        String[] parts = query.split("&", MOST_PARAMETERS + 1);
        if (parts.length > MOST_PARAMETERS) {
            throw new RefusedRequestException(HttpProblem.of(
                    400,
                    "bad-request",
                    "The query has more than %d parameters".formatted(MOST_PARAMETERS),
                    "Send fewer"));
        }
        for (String part : parts) {
            String[] pair = part.split("=", 2);
            if (!pair[0].isEmpty()) {
                parameters
                        .computeIfAbsent(decoded(pair[0]), name -> new ArrayList<>())
                        .add(pair.length == 2 ? decoded(pair[1]) : "");
            }
        }
        return parameters;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new RefusedRequestException(
                    HttpProblem.of(400, "bad-request", "The query has a broken % escape", "Encode it as a URL does"),
                    e);
        }
    }
}
