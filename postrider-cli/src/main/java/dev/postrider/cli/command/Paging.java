package dev.postrider.cli.command;

import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads a list page by page. A page of the API may be short, or empty, although more follows. */
final class Paging {

    private static final int MOST_ROWS = 500;
    private static final int MOST_PAGES = 1_000;

    private final CliSession session;
    private final String path;
    private final Map<String, String> query;

    Paging(CliSession session, String path, Map<String, String> query) {
        this.session = session;
        this.path = path;
        this.query = new HashMap<>(query);
    }

    /** Returns up to {@code limit} rows, and the cursor to go on if there may be more. */
    ObjectNode upTo(int limit) {
        ObjectNode result = CliSession.body();
        ArrayNode items = result.putArray("items");
        for (int page = 0; page < MOST_PAGES; page++) {
            query.put("limit", Integer.toString(Math.min(MOST_ROWS, limit - items.size())));
            JsonNode answer = session.get(path, query);
            answer.path("items").forEach(items::add);
            if (answer.has("available")) {
                result.set("available", answer.path("available"));
            }
            String next = answer.path("next").asString("");
            if (next.isEmpty()) {
                return result;
            }
            query.put("cursor", next);
            if (items.size() >= limit) {
                return result.put("next", next);
            }
        }
        return result.put("next", query.getOrDefault("cursor", ""));
    }
}
