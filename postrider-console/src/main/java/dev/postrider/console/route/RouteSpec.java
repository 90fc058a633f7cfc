package dev.postrider.console.route;

import dev.postrider.console.ConsoleRole;
import dev.postrider.console.ConsoleRoute;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Everything that is known about a route without running it.
 *
 * @param route method, path, role and summary
 * @param query the parameters; any other is refused
 * @param body the fields of the JSON body; any other is refused
 * @param answer the record that is sent as JSON, for the description of the API
 * @param successStatus the HTTP status of an answer without a problem
 */
public record RouteSpec(
        ConsoleRoute route, List<RouteField> query, List<RouteField> body, Class<?> answer, int successStatus) {

    /** What every list that is sent part by part takes. */
    public static final List<RouteField> PAGE = List.of(
            RouteField.integer("limit", 1, 500, "How many items one page holds at most. Default 50."),
            RouteField.text("cursor", "The value of next of the page before."),
            RouteField.word("order", List.of("newest", "oldest"), "Which come first. Default newest."));

    /** What every request that changes something has to say. */
    public static final RouteField REASON =
            RouteField.text("reason", "Why; the audit trail keeps it.").mandatory();

    /** Copies the lists. */
    public RouteSpec {
        Objects.requireNonNull(route, "route");
        Objects.requireNonNull(answer, "answer");
        query = List.copyOf(query);
        body = List.copyOf(body);
    }

    /** Starts a route of one source that reads; the path is below {@code /api/v1/sources/{source}}. */
    public static RouteSpec get(ConsoleRole role, String path, Class<?> answer, String summary) {
        return source("GET", role, path, answer, summary);
    }

    /** Starts a route of one source that changes something; the body needs a reason. */
    public static RouteSpec post(ConsoleRole role, String path, Class<?> answer, String summary) {
        return source("POST", role, path, answer, summary).body(REASON);
    }

    /** Starts a route of one source that asks something with a body, without a reason. */
    public static RouteSpec ask(ConsoleRole role, String path, Class<?> answer, String summary) {
        return source("POST", role, path, answer, summary);
    }

    /** Starts a route that belongs to no source; the path is below {@code /api/v1}. */
    public static RouteSpec general(String method, ConsoleRole role, String path, Class<?> answer, String summary) {
        return new RouteSpec(
                new ConsoleRoute(method, "/api/v1" + path, role, summary), List.of(), List.of(), answer, 200);
    }

    private static RouteSpec source(String method, ConsoleRole role, String path, Class<?> answer, String summary) {
        return general(method, role, "/sources/{source}" + path, answer, summary);
    }

    /** Returns this route with another parameter. */
    public RouteSpec query(RouteField field) {
        return new RouteSpec(route, with(query, List.of(field)), body, answer, successStatus);
    }

    /** Returns this route with limit, cursor and order. */
    public RouteSpec paged() {
        return new RouteSpec(route, with(query, PAGE), body, answer, successStatus);
    }

    /** Returns this route with another field of the body. */
    public RouteSpec body(RouteField field) {
        return new RouteSpec(route, query, with(body, List.of(field)), answer, successStatus);
    }

    /** Returns this route with another status of success. */
    public RouteSpec status(int value) {
        return new RouteSpec(route, query, body, answer, value);
    }

    private static List<RouteField> with(List<RouteField> fields, List<RouteField> more) {
        List<RouteField> all = new ArrayList<>(fields);
        all.addAll(more);
        return all;
    }
}
