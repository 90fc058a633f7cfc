package dev.postrider.micrometer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files of the operations pack. */
final class Ops {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    static final Path RULES = ROOT.resolve("ops/prometheus/postrider-rules.yml");
    static final Path RULES_TEST = ROOT.resolve("ops/prometheus/postrider-rules-test.yml");
    static final Path DASHBOARD = ROOT.resolve("ops/grafana/postrider-dashboard.json");
    static final Path INBOX_DASHBOARD = ROOT.resolve("ops/grafana/postrider-inbox-sagas-dashboard.json");
    static final Path RUNBOOKS = ROOT.resolve("docs/runbooks");

    private static final Pattern METRIC = Pattern.compile("\\b(?:postrider|outbox)_[a-z_]+");

    private Ops() {}

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read " + file, e);
        }
    }

    /** Returns the alerts of the rules file. */
    static List<Map<?, ?>> alerts() {
        return list(yaml(RULES).get("groups")).stream()
                .flatMap(group -> list(group.get("rules")).stream())
                .toList();
    }

    /** Returns the tests of the rules, by name. */
    static List<Map<?, ?>> tests() {
        return list(yaml(RULES_TEST).get("tests"));
    }

    /** Returns the names of metrics in a text. */
    static Set<String> metrics(String text) {
        return METRIC.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the values of all strings with this key in a dashboard, which is JSON and so YAML too. */
    static List<String> dashboardStrings(Path dashboard, String key) {
        return strings(yaml(dashboard), key).toList();
    }

    /** Returns the values of all strings with this key in both dashboards. */
    static List<String> dashboardStrings(String key) {
        return Stream.of(DASHBOARD, INBOX_DASHBOARD)
                .flatMap(each -> dashboardStrings(each, key).stream())
                .toList();
    }

    static Map<?, ?> yaml(Path file) {
        return (Map<?, ?>) new Yaml(new SafeConstructor(new LoaderOptions())).load(text(file));
    }

    static List<Map<?, ?>> list(@Nullable Object value) {
        return ((List<?>) Objects.requireNonNull(value))
                .stream().<Map<?, ?>>map(each -> (Map<?, ?>) each).toList();
    }

    private static Stream<String> strings(@Nullable Object node, String key) {
        if (node instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .flatMap(each -> each.getKey().equals(key) && each.getValue() instanceof String text
                            ? Stream.of(text)
                            : strings(each.getValue(), key));
        }
        return node instanceof List<?> list ? list.stream().flatMap(each -> strings(each, key)) : Stream.empty();
    }
}
