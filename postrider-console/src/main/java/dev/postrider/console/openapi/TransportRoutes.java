package dev.postrider.console.openapi;

import dev.postrider.console.ConsoleResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The routes that belong to HTTP: who is signed in, and the stream of events. A servlet answers them. */
final class TransportRoutes {

    /** Who asks. */
    record Me(String name, String role, boolean authenticated, boolean canSignOut) {}

    private TransportRoutes() {}

    static void addTo(Map<String, Object> paths, JsonSchemas schemas) {
        paths.put(
                "/api/v1/me",
                methods(
                        "get",
                        operation(
                                "getMe",
                                "Shows who is signed in; 401 if nobody is.",
                                List.of(),
                                "200",
                                Map.of(ConsoleResponse.JSON, Map.of("schema", schemas.reference(Me.class))))));
        Map<String, Object> session =
                methods("delete", operation("deleteSession", "Signs out.", List.of(), "204", Map.of()));
        Map<String, Object> signIn =
                operation("postSession", "Signs in; too many failures are slowed down.", List.of(), "204", Map.of());
        signIn.put("requestBody", credentials());
        session.put("post", signIn);
        paths.put("/api/v1/session", session);
        paths.put(
                "/api/v1/events",
                methods(
                        "get",
                        operation(
                                "getEvents",
                                "Streams the overview of a source each second as Server-Sent Events named overview.",
                                List.of(source()),
                                "200",
                                Map.of("text/event-stream", Map.of("schema", Map.of("type", "string"))))));
    }

    private static Map<String, Object> methods(String method, Map<String, Object> operation) {
        Map<String, Object> methods = new TreeMap<>();
        methods.put(method, operation);
        return methods;
    }

    private static Map<String, Object> operation(
            String id, String summary, List<Object> parameters, String status, Map<String, Object> content) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("operationId", id);
        operation.put("summary", summary);
        operation.put("tags", List.of("session"));
        if (!parameters.isEmpty()) {
            operation.put("parameters", parameters);
        }
        Map<String, Object> response = new LinkedHashMap<>();
        response.put("description", "Done");
        if (!content.isEmpty()) {
            response.put("content", content);
        }
        Map<String, Object> responses = new LinkedHashMap<>();
        responses.put(status, response);
        responses.put("default", OpenApi.problemResponse());
        operation.put("responses", responses);
        return operation;
    }

    private static Map<String, Object> source() {
        Map<String, Object> parameter = new LinkedHashMap<>();
        parameter.put("name", "source");
        parameter.put("in", "query");
        parameter.put("required", true);
        parameter.put("description", "The source.");
        parameter.put("schema", Map.of("type", "string"));
        return parameter;
    }

    private static Map<String, Object> credentials() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("name", Map.of("type", "string"));
        properties.put("password", Map.of("type", "string"));
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", List.of("name", "password"));
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("required", true);
        body.put("content", Map.of(ConsoleResponse.JSON, Map.of("schema", schema)));
        return body;
    }
}
