package dev.postrider.console.servlet;

import dev.postrider.console.Caller;
import dev.postrider.console.ConsoleResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The routes that ask who the caller is and that begin and end sessions: a matter of HTTP, not of the API. */
final class SessionRoutes {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String ME = "/api/v1/me";
    private static final String SESSION = "/api/v1/session";
    private static final int LONGEST = 1_000;

    private final CallerFinder callers;
    private final @Nullable SignIn signIn;

    SessionRoutes(CallerFinder callers, @Nullable SignIn signIn) {
        this.callers = callers;
        this.signIn = signIn;
    }

    /** Answers if the path is one of these routes. */
    Optional<ConsoleResponse> answer(HttpServletRequest request, HttpServletResponse response, String path)
            throws IOException {
        if (path.equals(ME) && request.getMethod().equals("GET")) {
            return Optional.of(callers.caller(request)
                    .map(caller -> me(caller, signIn != null && signIn.canSignOut(request)))
                    .orElseGet(this::signedOut));
        }
        if (!path.equals(SESSION) || signIn == null) {
            return Optional.empty();
        }
        return Optional.of(
                switch (request.getMethod()) {
                    case "POST" -> begin(signIn, request, response);
                    case "DELETE" -> end(signIn, request, response);
                    default -> HttpProblem.of(405, "bad-request", "Sessions begin and end", "Use POST or DELETE");
                });
    }

    /** Says that nobody is signed in, and how to. */
    ConsoleResponse signedOut() {
        return signIn == null
                ? HttpProblem.of(
                        403,
                        "not-permitted",
                        "Nobody is signed in",
                        "Sign in to the application, or use it on the machine that it runs on")
                : HttpProblem.signedOut(signIn);
    }

    private static ConsoleResponse me(Caller caller, boolean canSignOut) {
        ObjectNode me = JSON.createObjectNode();
        me.put("name", caller.name());
        me.put("role", caller.role().name().toLowerCase(Locale.ROOT));
        me.put("authenticated", true);
        me.put("canSignOut", canSignOut);
        return new ConsoleResponse(200, ConsoleResponse.JSON, me.toString());
    }

    private static ConsoleResponse begin(SignIn signIn, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        JsonNode body = json(RequestReader.body(request));
        String name = body.path("name").asString("");
        String password = body.path("password").asString("");
        if (name.isBlank() || password.isEmpty() || name.length() > LONGEST || password.length() > LONGEST) {
            return HttpProblem.of(400, "bad-request", "A sign-in has a name and a password", "Send both");
        }
        return switch (signIn.signIn(request, response, name, password)) {
            case SIGNED_IN -> new ConsoleResponse(204, ConsoleResponse.JSON, "");
            case REFUSED -> HttpProblem.of(401, "signed-out", "The name or the password is wrong", "Try again");
            case TOO_MANY ->
                HttpProblem.of(429, "too-many", "Too many sign-ins have failed", "Wait a minute, then try again");
        };
    }

    private static JsonNode json(String body) {
        try {
            return JSON.readTree(body);
        } catch (JacksonException e) {
            throw new RefusedRequestException(
                    HttpProblem.of(400, "bad-request", "The body is no JSON", "Send a JSON object"), e);
        }
    }

    private static ConsoleResponse end(SignIn signIn, HttpServletRequest request, HttpServletResponse response) {
        signIn.signOut(request, response);
        return new ConsoleResponse(204, ConsoleResponse.JSON, "");
    }
}
