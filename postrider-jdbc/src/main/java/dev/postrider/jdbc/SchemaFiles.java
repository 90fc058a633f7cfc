package dev.postrider.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The SQL files of the schema, one per version; each records its version in its last statement. */
final class SchemaFiles {

    private static final List<String> FILES = List.of("V001__outbox.sql", "V002__operations.sql");

    /** The version this library needs. */
    static final int LATEST = FILES.size();

    private SchemaFiles() {}

    /** Returns the files above {@code version} with the names filled in. */
    static List<String> texts(Dialect dialect, int version, TableNames names) {
        return FILES.stream()
                .skip(version)
                .map(file -> names.in(read("/META-INF/postrider/schema/" + dialect.folder() + "/" + file)))
                .toList();
    }

    /** Splits a file into statements, without its comments. */
    static List<String> statements(String text) {
        String code = text.replaceAll("(?m)^\\s*--.*$", "");
        return Arrays.stream(code.split(";\\s*(\\n|$)", -1))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    private static String read(String path) {
        try (InputStream file = SchemaFiles.class.getResourceAsStream(path)) {
            if (file == null) {
                throw new IllegalStateException("The jar has no file " + path);
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read " + path, e);
        }
    }
}
