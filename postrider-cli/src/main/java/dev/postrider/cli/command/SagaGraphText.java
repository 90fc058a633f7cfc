package dev.postrider.cli.command;

import dev.postrider.cli.output.Column;
import dev.postrider.cli.output.Paint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Writes the graph of a saga for people and for programs that draw. */
final class SagaGraphText {

    private final Map<String, JsonNode> nodes = new LinkedHashMap<>();
    private final Map<String, List<String>> next = new LinkedHashMap<>();
    private final Paint paint;

    SagaGraphText(JsonNode graph, Paint paint) {
        this.paint = paint;
        graph.path("nodes").forEach(node -> nodes.put(node.path("id").asString(""), node));
        graph.path("edges")
                .forEach(edge -> next.computeIfAbsent(edge.path("from").asString(""), from -> new ArrayList<>())
                        .add(edge.path("to").asString("")));
    }

    /** The languages of a graph. */
    enum GraphLanguage {
        text,
        dot,
        mermaid
    }

    List<String> lines(GraphLanguage form) {
        return switch (form) {
            case text -> text();
            case dot -> dot();
            case mermaid -> mermaid();
        };
    }

    /** One line for each step in the order of the graph, with the steps that follow it. */
    private List<String> text() {
        List<String> lines = new ArrayList<>();
        for (String id : ordered()) {
            JsonNode node = nodes.get(id);
            if (node == null) {
                continue;
            }
            String status = node.path("status").asString("");
            String arrow = node.path("direction").asString("FORWARD").equals("BACK") ? "◀" : "▶";
            List<String> after = next.getOrDefault(id, List.of());
            String line = "%s %s  %s".formatted(arrow, step(node), paint.word(status, Column.printable(status)));
            lines.add(
                    after.isEmpty()
                            ? line
                            : line + "  → "
                                    + String.join(
                                            ", ", after.stream().map(this::name).toList()));
        }
        return lines;
    }

    private List<String> ordered() {
        Map<String, Integer> before = new LinkedHashMap<>();
        nodes.keySet().forEach(id -> before.put(id, 0));
        next.values().forEach(all -> all.forEach(id -> before.merge(id, 1, Integer::sum)));
        Deque<String> free = new ArrayDeque<>();
        before.forEach((id, count) -> {
            if (count == 0) {
                free.add(id);
            }
        });
        List<String> order = new ArrayList<>();
        while (!free.isEmpty()) {
            String id = free.poll();
            order.add(id);
            for (String follower : next.getOrDefault(id, List.of())) {
                if (before.merge(follower, -1, Integer::sum) == 0) {
                    free.add(follower);
                }
            }
        }
        nodes.keySet().stream().filter(id -> !order.contains(id)).forEach(order::add);
        return order;
    }

    private String name(String id) {
        JsonNode node = nodes.get(id);
        return node == null ? Column.printable(id) : step(node);
    }

    private static String step(JsonNode node) {
        return Column.printable(node.path("step").asString(node.path("id").asString("")));
    }

    private List<String> dot() {
        List<String> lines = new ArrayList<>();
        lines.add("digraph saga {");
        nodes.forEach((id, node) -> lines.add("  \"%s\" [label=\"%s\\n%s\"];"
                .formatted(
                        quoted(id),
                        quoted(step(node)),
                        quoted(node.path("status").asString("")))));
        next.forEach((from, all) ->
                all.forEach(to -> lines.add("  \"%s\" -> \"%s\";".formatted(quoted(from), quoted(to)))));
        lines.add("}");
        return lines;
    }

    private static String quoted(String text) {
        return Column.printable(text).replace("\\", "\\\\").replace("\"", "\\\"");
    }

    private List<String> mermaid() {
        List<String> ids = new ArrayList<>(nodes.keySet());
        List<String> lines = new ArrayList<>();
        lines.add("graph LR");
        nodes.forEach((id, node) -> lines.add("  n%d[\"%s<br/>%s\"]"
                .formatted(
                        ids.indexOf(id),
                        step(node).replace("\"", "#quot;"),
                        node.path("status").asString("").replace("\"", "#quot;"))));
        next.forEach((from, all) ->
                all.forEach(to -> lines.add("  n%d --> n%d".formatted(ids.indexOf(from), ids.indexOf(to)))));
        return lines;
    }
}
