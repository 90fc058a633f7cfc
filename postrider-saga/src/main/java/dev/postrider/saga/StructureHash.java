package dev.postrider.saga;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.TreeSet;

/** Tells two structures apart: names, kinds, roles and order count, the code of the steps does not. */
final class StructureHash {

    private StructureHash() {}

    /** Returns 64 hexadecimal digits. */
    static String of(Blueprint<?> blueprint) {
        return HexFormat.of().formatHex(Hash.sha256(graph(blueprint).getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns what is hashed: a line for each step, sorted by name. */
    static String graph(Blueprint<?> blueprint) {
        StringBuilder text = new StringBuilder();
        blueprint.steps().stream()
                .sorted(Comparator.comparing(Step::name))
                .forEach(step -> text.append("%s %s %s after %s%n"
                        .formatted(step.name(), step.kind(), step.role(), String.join(",", new TreeSet<>(step.after())))
                        .replace(System.lineSeparator(), "\n")));
        return text.toString();
    }
}
