package dev.postrider.console.route;

import dev.postrider.console.ConsoleRequest;
import dev.postrider.console.ConsoleResponse;
import dev.postrider.console.ConsoleSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives each request to its handler. The role comes first, then the source, then parameters and body. Thread-safe. */
public final class Router {

    private static final Logger log = LoggerFactory.getLogger(Router.class);

    private final RouteTable table;
    private final Function<String, Optional<ConsoleSource>> sources;

    /** Takes the routes and where sources are found by name. */
    public Router(RouteTable table, Function<String, Optional<ConsoleSource>> sources) {
        this.table = Objects.requireNonNull(table, "table");
        this.sources = Objects.requireNonNull(sources, "sources");
    }

    /** Answers a request; errors are answers too. */
    public ConsoleResponse handle(ConsoleRequest request) {
        try {
            return answer(request);
        } catch (RuntimeException e) {
            RouteProblem problem = Problems.of(e);
            if (problem.code() == ProblemCode.INTERNAL) {
                log.warn("{} {} failed", request.method(), RequestInputs.shown(request.path()), e);
            }
            return Problems.response(problem);
        }
    }

    private ConsoleResponse answer(ConsoleRequest request) {
        RouteTable.Match match = table.find(request.method(), request.path()).orElse(null);
        if (match == null) {
            return unknown(request);
        }
        RouteSpec spec = match.spec();
        if (!request.caller().role().includes(spec.route().role())) {
            throw new RouteProblem(
                    ProblemCode.NOT_PERMITTED,
                    "This needs the role %s; %s has the role %s"
                            .formatted(
                                    spec.route().role(),
                                    request.caller().name(),
                                    request.caller().role()),
                    "Ask somebody with the role %s.".formatted(spec.route().role()));
        }
        ConsoleSource source = source(match);
        Map<String, Object> inputs = RequestInputs.of(spec, request);
        Object answer = match.handler().handle(new Exchange(request.caller(), source, match.variables(), inputs));
        if (answer instanceof ConsoleResponse whole) {
            return whole;
        }
        return new ConsoleResponse(spec.successStatus(), ConsoleResponse.JSON, ConsoleJson.write(answer));
    }

    private @Nullable ConsoleSource source(RouteTable.Match match) {
        String name = match.variables().get("source");
        if (name == null) {
            return null;
        }
        return sources.apply(name)
                .orElseThrow(() -> RouteProblem.notFound(
                        "There is no source '%s'".formatted(RequestInputs.shown(name)),
                        "GET /api/v1/sources lists the sources."));
    }

    private ConsoleResponse unknown(ConsoleRequest request) {
        String path = RequestInputs.shown(request.path());
        var methods = table.methods(request.path());
        if (methods.isEmpty()) {
            throw RouteProblem.notFound(
                    "There is no route %s".formatted(path), "GET /api/v1/openapi.json lists the routes.");
        }
        Map<String, Object> allow = new LinkedHashMap<>();
        allow.put("allow", methods);
        return Problems.response(
                new RouteProblem(
                        ProblemCode.BAD_REQUEST,
                        "%s takes %s, not %s".formatted(path, methods, RequestInputs.shown(request.method())),
                        "Use one of these methods.",
                        allow),
                405);
    }
}
