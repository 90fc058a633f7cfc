package dev.postrider.console.openapi;

import dev.postrider.console.Attachment;
import dev.postrider.console.ConsoleResponse;
import dev.postrider.console.ConsoleRole;
import dev.postrider.console.ConsoleRoute;
import dev.postrider.console.route.ConsoleJson;
import dev.postrider.console.route.ProblemCode;
import dev.postrider.console.route.RouteField;
import dev.postrider.console.route.RouteSpec;
import dev.postrider.console.route.RouteTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Describes the API as an OpenAPI 3.1 document, from the routes and the records that they answer. */
public final class OpenApi {

    private static final Pattern VARIABLE = Pattern.compile("\\{([a-z]+)}");

    private final RouteTable table;
    private volatile @Nullable String text;

    /** The answer of the route that serves the description. */
    record ApiDescription(String openapi) {}

    /** Describes these routes. */
    public OpenApi(RouteTable table) {
        this.table = Objects.requireNonNull(table, "table");
    }

    /** Adds the route that serves the description. */
    public void addTo(RouteTable routes) {
        routes.add(
                RouteSpec.general(
                        "GET",
                        ConsoleRole.VIEWER,
                        "/openapi.json",
                        ApiDescription.class,
                        "Describes this API as an OpenAPI document."),
                exchange -> new ConsoleResponse(200, ConsoleResponse.JSON, text()));
    }

    /** Returns the document. */
    public String text() {
        String known = text;
        if (known == null) {
            known = ConsoleJson.writePretty(document()) + "\n";
            text = known;
        }
        return known;
    }

    private Map<String, Object> document() {
        JsonSchemas schemas = new JsonSchemas();
        Map<String, Object> paths = new TreeMap<>();
        for (RouteSpec spec : table.specs()) {
            operations(paths, spec.route().template())
                    .put(spec.route().method().toLowerCase(Locale.ROOT), operation(spec, schemas));
        }
        TransportRoutes.addTo(paths, schemas);
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("title", "Postrider");
        info.put("version", "1");
        info.put("description", """
                The operators' API over outbox, inbox and sagas. Times are in UTC, durations in milliseconds. \
                Members without a value are left out. x-role is the least role that may ask.""");
        document.put("info", info);
        document.put("paths", paths);
        schemas.all().put("Problem", problem());
        document.put("components", Map.of("schemas", schemas.all()));
        return document;
    }

    @SuppressWarnings("unchecked") // only this class puts values
    private static Map<String, Object> operations(Map<String, Object> paths, String template) {
        return (Map<String, Object>) paths.computeIfAbsent(template, path -> new TreeMap<String, Object>());
    }

    private static Map<String, Object> operation(RouteSpec spec, JsonSchemas schemas) {
        ConsoleRoute route = spec.route();
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("operationId", operationId(route));
        operation.put("summary", route.summary());
        operation.put("tags", List.of(tag(route)));
        operation.put("x-role", route.role().name());
        List<Object> parameters = new ArrayList<>();
        Matcher variables = VARIABLE.matcher(route.template());
        while (variables.find()) {
            parameters.add(parameter(
                    variables.group(1),
                    "path",
                    true,
                    "The %s.".formatted(variables.group(1)),
                    Map.of("type", "string")));
        }
        spec.query()
                .forEach(field -> parameters.add(
                        parameter(field.name(), "query", field.required(), field.text(), schema(field))));
        if (!parameters.isEmpty()) {
            operation.put("parameters", parameters);
        }
        if (!spec.body().isEmpty()) {
            operation.put("requestBody", body(spec.body()));
        }
        Map<String, Object> responses = new LinkedHashMap<>();
        responses.put(Integer.toString(spec.successStatus()), success(spec, schemas));
        responses.put("default", problemResponse());
        operation.put("responses", responses);
        return operation;
    }

    // GET .../messages/{id}/payload becomes getMessagesPayload; the path tells one from the other.
    static String operationId(ConsoleRoute route) {
        StringBuilder id = new StringBuilder(route.method().toLowerCase(Locale.ROOT));
        String path = route.template().replaceFirst("^/api/v1(/sources/\\{source})?", "");
        for (String word : path.split("[/.-]")) {
            String plain = word.startsWith("{") ? "by-" + word.substring(1, word.length() - 1) : word;
            for (String part : plain.split("-")) {
                if (!part.isEmpty()) {
                    id.append(part.substring(0, 1).toUpperCase(Locale.ROOT)).append(part.substring(1));
                }
            }
        }
        return id.toString();
    }

    private static String tag(ConsoleRoute route) {
        String path = route.template().replaceFirst("^/api/v1/(sources/\\{source}/)?", "");
        return path.split("[/.]")[0];
    }

    private static Map<String, Object> parameter(
            String name, String in, boolean required, String text, Map<String, Object> schema) {
        Map<String, Object> parameter = new LinkedHashMap<>();
        parameter.put("name", name);
        parameter.put("in", in);
        parameter.put("required", required);
        parameter.put("description", text);
        parameter.put("schema", schema);
        return parameter;
    }

    private static Map<String, Object> body(List<RouteField> fields) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (RouteField field : fields) {
            Map<String, Object> schema = new LinkedHashMap<>(schema(field));
            schema.put("description", field.text());
            properties.put(field.name(), schema);
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("additionalProperties", false);
        schema.put("properties", properties);
        List<String> required = fields.stream()
                .filter(RouteField::required)
                .map(RouteField::name)
                .toList();
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("required", !required.isEmpty());
        body.put("content", Map.of(ConsoleResponse.JSON, Map.of("schema", schema)));
        return body;
    }

    private static Map<String, Object> schema(RouteField field) {
        Map<String, Object> schema = new LinkedHashMap<>();
        switch (field.kind()) {
            case TEXT -> {
                schema.put("type", "string");
                if (field.words().isEmpty()) {
                    schema.put("minLength", field.least());
                    schema.put("maxLength", field.most());
                } else {
                    schema.put("enum", field.words());
                }
            }
            case INTEGER -> {
                schema.put("type", "integer");
                schema.put("minimum", field.least());
                schema.put("maximum", field.most());
            }
            case BOOLEAN -> schema.put("type", "boolean");
            case TEXTS -> {
                schema.put("type", "array");
                schema.put("items", Map.of("type", "string"));
                schema.put("minItems", field.least());
                schema.put("maxItems", field.most());
            }
            case TEXT_MAP -> {
                schema.put("type", "object");
                schema.put("additionalProperties", Map.of("type", "string"));
            }
            case PAYLOAD -> {
                schema.put("type", "object");
                Map<String, Object> parts = new TreeMap<>();
                parts.put("text", Map.of("type", "string"));
                parts.put("base64", Map.of("type", "string"));
                schema.put("properties", parts);
            }
        }
        return schema;
    }

    private static Map<String, Object> success(RouteSpec spec, JsonSchemas schemas) {
        Map<String, Object> response = new LinkedHashMap<>();
        response.put("description", "Done");
        if (spec.answer() == Attachment.class) {
            response.put("content", Map.of("*/*", Map.of("schema", Map.of("type", "string"))));
        } else if (spec.answer() == ApiDescription.class) {
            response.put("content", Map.of(ConsoleResponse.JSON, Map.of("schema", Map.of("type", "object"))));
        } else {
            response.put("content", Map.of(ConsoleResponse.JSON, Map.of("schema", schemas.reference(spec.answer()))));
        }
        return response;
    }

    static Map<String, Object> problemResponse() {
        Map<String, Object> response = new LinkedHashMap<>();
        response.put("description", "What is wrong, and what to do");
        response.put(
                "content",
                Map.of(ConsoleResponse.PROBLEM, Map.of("schema", Map.of("$ref", "#/components/schemas/Problem"))));
        return response;
    }

    private static Map<String, Object> problem() {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (String name : List.of("type", "title", "detail", "do")) {
            properties.put(name, Map.of("type", "string"));
        }
        properties.put("status", Map.of("type", "integer"));
        Map<String, Object> codes = new LinkedHashMap<>();
        codes.put("type", "string");
        codes.put(
                "enum",
                Arrays.stream(ProblemCode.values()).map(ProblemCode::word).toList());
        properties.put("code", codes);
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", List.of("type", "title", "status", "code", "do"));
        return schema;
    }
}
