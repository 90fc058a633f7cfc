package dev.postrider.cli.link;

import dev.postrider.cli.run.CliException;
import dev.postrider.cli.run.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * A file with contexts.
 *
 * @param path where it is
 * @param current the context to use; null if the file does not say
 * @param contexts the settings of each context by its name
 */
record YamlFile(Path path, @Nullable String current, Map<String, Map<String, String>> contexts) {

    private static final int MOST_CHARACTERS = 1_000_000;
    private static final String CURRENT = "current";
    private static final String CONTEXTS = "contexts";

    YamlFile {
        contexts = new LinkedHashMap<>(contexts);
    }

    /** Reads a file; a missing one has no contexts. */
    static YamlFile read(Path path) {
        if (!Files.isRegularFile(path)) {
            return new YamlFile(path, null, Map.of());
        }
        try {
            LoadSettings settings = LoadSettings.builder()
                    .setCodePointLimit(MOST_CHARACTERS)
                    .setLabel(path.toString())
                    .build();
            Object root = new Load(settings).loadFromString(Files.readString(path));
            return root == null ? new YamlFile(path, null, Map.of()) : parsed(path, map(path, "file", root));
        } catch (IOException e) {
            throw new CliException(ExitCodes.FAILED, "Could not read " + path, e);
        } catch (YamlEngineException e) {
            throw broken(path, "it is not YAML", e);
        }
    }

    private static YamlFile parsed(Path path, Map<?, ?> root) {
        String current = null;
        Map<String, Map<String, String>> contexts = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : root.entrySet()) {
            if (CURRENT.equals(entry.getKey())) {
                current = String.valueOf(entry.getValue());
            } else if (CONTEXTS.equals(entry.getKey())) {
                map(path, CONTEXTS, entry.getValue())
                        .forEach((name, settings) ->
                                contexts.put(String.valueOf(name), settings(path, String.valueOf(name), settings)));
            } else {
                throw broken(
                        path, "unknown setting '%s'; known are current and contexts".formatted(entry.getKey()), null);
            }
        }
        return new YamlFile(path, current, contexts);
    }

    private static Map<String, String> settings(Path path, String context, @Nullable Object value) {
        Map<String, String> settings = new LinkedHashMap<>();
        map(path, "context " + context, value).forEach((name, text) -> {
            if (!ContextSettings.NAMES.contains(String.valueOf(name))) {
                throw broken(
                        path,
                        "unknown setting '%s' of context '%s'; known are %s"
                                .formatted(name, context, String.join(", ", ContextSettings.NAMES)),
                        null);
            }
            settings.put(String.valueOf(name), String.valueOf(text));
        });
        return settings;
    }

    private static Map<?, ?> map(Path path, String what, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw broken(path, what + " must be a mapping", null);
    }

    private static CliException broken(Path path, String why, @Nullable Throwable cause) {
        return new CliException(ExitCodes.USAGE, "%s cannot be used: %s".formatted(path, why), cause);
    }
}
