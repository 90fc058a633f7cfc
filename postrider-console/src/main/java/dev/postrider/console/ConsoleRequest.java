package dev.postrider.console;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A request to the operators' API, whatever transport brought it.
 *
 * @param method an HTTP method, such as GET
 * @param path the decoded path below the mount point, such as {@code /api/v1/messages}
 * @param query the decoded query parameters
 * @param body JSON; empty if there is none
 * @param caller who asks
 */
public record ConsoleRequest(String method, String path, Map<String, List<String>> query, String body, Caller caller) {

    /** Copies the query. */
    public ConsoleRequest {
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(body, "body");
        Objects.requireNonNull(caller, "caller");
        query = Map.copyOf(query);
    }

    /** Returns the first value of a query parameter. */
    public Optional<String> parameter(String name) {
        return query.getOrDefault(name, List.of()).stream().findFirst();
    }
}
