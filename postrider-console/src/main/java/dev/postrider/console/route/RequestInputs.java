package dev.postrider.console.route;

import dev.postrider.console.ConsoleRequest;
import dev.postrider.spi.ErrorText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Reads parameters and body of a request by the fields of its route, and refuses anything else. */
final class RequestInputs {

    /** The longest body. A payload of the largest message fits in base64. */
    static final int MAX_BODY = 16 * 1024 * 1024;

    private final RouteSpec spec;
    private final Map<String, Object> values = new LinkedHashMap<>();

    private RequestInputs(RouteSpec spec) {
        this.spec = spec;
    }

    /**
     * Reads what a request brought.
     *
     * @return the values by the names of their fields
     * @throws RouteProblem naming the field and the rule that is broken
     */
    static Map<String, Object> of(RouteSpec spec, ConsoleRequest request) {
        RequestInputs inputs = new RequestInputs(spec);
        inputs.readQuery(request);
        inputs.readBody(request.body());
        return inputs.values;
    }

    private void readQuery(ConsoleRequest request) {
        request.query().forEach((name, texts) -> {
            RouteField field = field(spec.query(), "parameter", name);
            if (texts.size() != 1) {
                throw RouteProblem.badRequest("Parameter '%s' may be given once".formatted(name));
            }
            values.put(name, fromText(field, texts.get(0)));
        });
        requireAll(spec.query(), "parameter");
    }

    private void readBody(String body) {
        if (body.length() > MAX_BODY) {
            throw RouteProblem.badRequest(
                    "The body has %d characters; %d are allowed".formatted(body.length(), MAX_BODY));
        }
        if (body.isBlank()) {
            requireAll(spec.body(), "field");
            return;
        }
        JsonNode root = ConsoleJson.read(body);
        if (!root.isObject()) {
            throw RouteProblem.badRequest("The body must be a JSON object");
        }
        root.properties().forEach(each -> {
            RouteField field = field(spec.body(), "field", each.getKey());
            if (!each.getValue().isNull()) {
                values.put(each.getKey(), fromJson(field, each.getValue()));
            }
        });
        requireAll(spec.body(), "field");
    }

    private void requireAll(List<RouteField> fields, String kind) {
        for (RouteField field : fields) {
            if (field.required() && !values.containsKey(field.name())) {
                throw RouteProblem.badRequest("The %s '%s' is missing: %s".formatted(kind, field.name(), field.text()));
            }
        }
    }

    private static RouteField field(List<RouteField> fields, String kind, String name) {
        return fields.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> RouteProblem.badRequest("Unknown %s '%s'; known are %s"
                        .formatted(
                                kind,
                                shown(name),
                                fields.stream().map(RouteField::name).toList())));
    }

    private static Object fromText(RouteField field, String text) {
        return switch (field.kind()) {
            case TEXT -> text(field, text);
            case INTEGER -> integer(field, text);
            case BOOLEAN -> bool(field, text);
            case TEXTS, TEXT_MAP, PAYLOAD -> throw new IllegalStateException("No parameter holds " + field.kind());
        };
    }

    private static Object fromJson(RouteField field, JsonNode node) {
        return switch (field.kind()) {
            case TEXT -> text(field, string(field.name(), node));
            case INTEGER -> {
                if (!node.isIntegralNumber() || !node.canConvertToLong()) {
                    throw wrong(field.name(), "must be a whole number");
                }
                yield bounded(field, node.longValue());
            }
            case BOOLEAN -> {
                if (!node.isBoolean()) {
                    throw wrong(field.name(), "must be true or false");
                }
                yield node.booleanValue();
            }
            case TEXTS -> texts(field, node);
            case TEXT_MAP -> textMap(field, node);
            case PAYLOAD -> payload(field, node);
        };
    }

    private static String text(RouteField field, String text) {
        if (text.length() < field.least() || text.length() > field.most() || (field.least() > 0 && text.isBlank())) {
            throw wrong(
                    field.name(),
                    "must have %d to %d characters but has %d"
                            .formatted(field.least(), field.most(), text.strip().length()));
        }
        if (!field.words().isEmpty() && !field.words().contains(text)) {
            throw wrong(field.name(), "must be one of %s but was '%s'".formatted(field.words(), shown(text)));
        }
        return text;
    }

    private static Long integer(RouteField field, String text) {
        try {
            return bounded(field, Long.parseLong(text));
        } catch (NumberFormatException e) {
            throw wrong(field.name(), "must be a whole number but was '%s'".formatted(shown(text)));
        }
    }

    private static Long bounded(RouteField field, long value) {
        if (value < field.least() || value > field.most()) {
            throw wrong(field.name(), "must be from %d to %d but was %d".formatted(field.least(), field.most(), value));
        }
        return value;
    }

    private static Boolean bool(RouteField field, String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong(field.name(), "must be true or false but was '%s'".formatted(shown(text)));
        };
    }

    private static List<String> texts(RouteField field, JsonNode node) {
        if (!node.isArray() || node.size() < field.least() || node.size() > field.most()) {
            throw wrong(field.name(), "must be a list of %d to %d texts".formatted(field.least(), field.most()));
        }
        List<String> texts = new ArrayList<>();
        node.values().forEach(each -> texts.add(string(field.name(), each)));
        return texts;
    }

    private static Map<String, String> textMap(RouteField field, JsonNode node) {
        if (!node.isObject() || node.size() < field.least() || node.size() > field.most()) {
            throw wrong(field.name(), "must be an object of %d to %d texts".formatted(field.least(), field.most()));
        }
        Map<String, String> texts = new LinkedHashMap<>();
        node.properties().forEach(each -> texts.put(each.getKey(), string(field.name(), each.getValue())));
        return texts;
    }

    private static byte[] payload(RouteField field, JsonNode node) {
        boolean one = node.isObject() && node.size() == 1;
        if (one && node.has("text")) {
            return string(field.name() + ".text", node.get("text")).getBytes(StandardCharsets.UTF_8);
        }
        if (one && node.has("base64")) {
            try {
                return Base64.getDecoder().decode(string(field.name() + ".base64", node.get("base64")));
            } catch (IllegalArgumentException e) {
                throw wrong(field.name(), "is not base64");
            }
        }
        throw wrong(field.name(), "must be {\"text\":\"…\"} or {\"base64\":\"…\"}");
    }

    private static String string(String name, JsonNode node) {
        return Optional.of(node)
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue)
                .orElseThrow(() -> wrong(name, "must be a text"));
    }

    private static RouteProblem wrong(String name, String why) {
        return RouteProblem.badRequest("%s %s".formatted(name, why));
    }

    static String shown(String text) {
        return ErrorText.clean(text, 60);
    }
}
