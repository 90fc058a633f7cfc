package dev.postrider.jackson;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The one form of a tree: keys in the order of their characters, and the elements of sets in the order of their texts.
 *
 * @param marker the only key of an object that stands for a set
 * @param sortsKeys whether keys are sorted here, or have their order already
 */
record CanonicalTree(String marker, boolean sortsKeys) {

    private static final int LARGEST_SCALE = 1_000;

    JsonNode of(JsonNode node) {
        if (node instanceof ObjectNode object) {
            JsonNode elements = object.get(marker);
            return elements == null ? object(object) : set(elements);
        }
        if (node instanceof ArrayNode array) {
            ArrayNode copy = JsonNodeFactory.instance.arrayNode(array.size());
            array.forEach(each -> copy.add(of(each)));
            return copy;
        }
        return node;
    }

    private JsonNode object(ObjectNode object) {
        Map<String, JsonNode> properties = sortsKeys ? new TreeMap<>() : new LinkedHashMap<>();
        object.properties().forEach(each -> properties.put(each.getKey(), of(each.getValue())));
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        properties.forEach(copy::set);
        return copy;
    }

    private JsonNode set(JsonNode elements) {
        List<JsonNode> sorted = new ArrayList<>();
        elements.forEach(each -> sorted.add(of(each)));
        sorted.sort(Comparator.comparing(JsonNode::toString));
        return JsonNodeFactory.instance.arrayNode(sorted.size()).addAll(sorted);
    }

    /** Refuses numbers of a few characters, such as 1E1000000000, that no reader can hold. */
    static void requireNumbers(JsonNode node) {
        if (node.isBigDecimal() && Math.abs((long) node.decimalValue().scale()) > LARGEST_SCALE) {
            throw new StreamConstraintsException("A number has the exponent %d but at most %d is allowed"
                    .formatted(-node.decimalValue().scale(), LARGEST_SCALE));
        }
        node.forEach(CanonicalTree::requireNumbers);
    }
}
