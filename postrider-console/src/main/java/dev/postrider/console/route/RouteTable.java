package dev.postrider.console.route;

import dev.postrider.console.ConsoleRoute;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** All routes with their handlers. Filled once, then read by many threads. */
public final class RouteTable {

    private final List<RegisteredRoute> entries = new ArrayList<>();
    private final Set<String> shapes = new HashSet<>();

    /** A route that was found for a path. */
    record Match(RouteSpec spec, RouteHandler handler, Map<String, String> variables) {}

    private record RegisteredRoute(RouteSpec spec, RouteHandler handler, List<String> segments) {

        long variableCount() {
            return segments.stream().filter(RouteTable::isVariable).count();
        }

        Optional<Map<String, String>> match(List<String> path) {
            if (path.size() != segments.size()) {
                return Optional.empty();
            }
            Map<String, String> variables = new HashMap<>();
            for (int i = 0; i < path.size(); i++) {
                String segment = segments.get(i);
                if (isVariable(segment)) {
                    variables.put(segment.substring(1, segment.length() - 1), path.get(i));
                } else if (!segment.equals(path.get(i))) {
                    return Optional.empty();
                }
            }
            return Optional.of(variables);
        }
    }

    /**
     * Adds a route.
     *
     * @throws IllegalArgumentException if there is one for the same requests
     */
    public void add(RouteSpec spec, RouteHandler handler) {
        ConsoleRoute route = Objects.requireNonNull(spec, "spec").route();
        if (!shapes.add(route.method() + " " + route.template().replaceAll("\\{[^}]*}", "{}"))) {
            throw new IllegalArgumentException("Two routes answer %s %s".formatted(route.method(), route.template()));
        }
        entries.add(new RegisteredRoute(spec, Objects.requireNonNull(handler, "handler"), segments(route.template())));
        // Words win over variables, so that messages/export is no message with the id 'export'.
        entries.sort(Comparator.comparingLong(RegisteredRoute::variableCount));
    }

    /** Returns what is known of each route, by path. */
    public List<RouteSpec> specs() {
        return entries.stream()
                .map(RegisteredRoute::spec)
                .sorted(Comparator.comparing((RouteSpec each) -> each.route().template())
                        .thenComparing(each -> each.route().method()))
                .toList();
    }

    Optional<Match> find(String method, String path) {
        List<String> segments = segments(path);
        for (RegisteredRoute entry : entries) {
            if (entry.spec().route().method().equals(method)) {
                Optional<Map<String, String>> variables = entry.match(segments);
                if (variables.isPresent()) {
                    return Optional.of(new Match(entry.spec(), entry.handler(), variables.get()));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the methods that a path takes. */
    List<String> methods(String path) {
        List<String> segments = segments(path);
        return entries.stream()
                .filter(entry -> entry.match(segments).isPresent())
                .map(entry -> entry.spec().route().method())
                .distinct()
                .sorted()
                .toList();
    }

    private static List<String> segments(String path) {
        return List.of(path.split("/", -1));
    }

    private static boolean isVariable(String segment) {
        return segment.startsWith("{") && segment.endsWith("}");
    }
}
