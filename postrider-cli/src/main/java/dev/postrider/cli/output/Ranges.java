package dev.postrider.cli.output;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Writes a list of numbers as people do, such as {@code 0-31, 40}. */
final class Ranges {

    private Ranges() {}

    static String of(JsonNode values) {
        List<String> parts = new ArrayList<>();
        int i = 0;
        while (i < values.size()) {
            int last = i;
            while (last + 1 < values.size() && follows(values.get(last), values.get(last + 1))) {
                last++;
            }
            String first = values.get(i).asString("");
            parts.add(last > i ? first + "-" + values.get(last).asString("") : first);
            i = last + 1;
        }
        return String.join(", ", parts);
    }

    private static boolean follows(JsonNode value, JsonNode next) {
        return value.isIntegralNumber() && next.isIntegralNumber() && next.asLong() == value.asLong() + 1;
    }
}
