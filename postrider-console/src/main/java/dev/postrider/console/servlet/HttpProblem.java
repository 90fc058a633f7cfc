package dev.postrider.console.servlet;

import dev.postrider.console.ConsoleResponse;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Errors that the transport finds, in the form of the API's own. */
final class HttpProblem {

    private static final JsonMapper JSON = JsonMapper.shared();

    private HttpProblem() {}

    static ConsoleResponse of(int status, String code, String title, String action) {
        return answer(status, fields(status, code, title, action));
    }

    /** Nobody is signed in; tells the ways to do it. */
    static ConsoleResponse signedOut(SignIn signIn) {
        ObjectNode problem = fields(401, "signed-out", "Nobody is signed in", "Sign in");
        ObjectNode ways = problem.putObject("signIn");
        ways.put("password", signIn.takesPasswords());
        ObjectNode providers = ways.putObject("providers");
        signIn.providers().forEach(providers::put);
        return answer(401, problem);
    }

    private static ObjectNode fields(int status, String code, String title, String action) {
        ObjectNode problem = JSON.createObjectNode();
        problem.put("type", "about:blank");
        problem.put("title", title);
        problem.put("status", status);
        problem.put("code", code);
        problem.put("do", action);
        return problem;
    }

    private static ConsoleResponse answer(int status, ObjectNode problem) {
        return new ConsoleResponse(status, ConsoleResponse.PROBLEM, problem.toString());
    }
}
