package dev.postrider.database;

import dev.postrider.OutboxException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The SQL files of some tables, one per version; each records its version in {@code {schema_version}} in its last
 * statement.
 *
 * @param subject whose tables they are, for example {@code outbox}
 * @param api the class that makes them, in the jar with the files
 * @param folder where the files are, with one folder for each database
 * @param files the names of the files, in the order of the versions
 */
public record SchemaFiles(String subject, Class<?> api, String folder, List<String> files) {

    private static final Pattern TABLE = Pattern.compile("create table (?:if not exists )?\\{(\\w+)}");

    /** Keeps a copy of the names. */
    public SchemaFiles {
        files = List.copyOf(files);
    }

    /** Splits a file into statements, without its comments. */
    public static List<String> statements(String text) {
        String code = text.replaceAll("(?m)^\\s*--.*$", "");
        return Arrays.stream(code.split(";\\s*(\\n|$)", -1))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    /** Returns the error to throw, with what to do about it where that is known. */
    public OutboxException explained(String what, SQLException cause, TableNames names) {
        return new SchemaCheck(this, names).explained(what, cause);
    }

    /** The version this library needs. */
    int latest() {
        return files.size();
    }

    /** Returns the SHA-256 of each file's text, before names are filled in, in the order of the versions. */
    public List<String> checksums(Dialect dialect) {
        return files.stream()
                .map(file -> sha256(read(path(dialect, file)).replace("\r\n", "\n")))
                .toList();
    }

    private static String sha256(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }

    /** Returns the files above {@code version} with the names filled in. */
    List<String> texts(Dialect dialect, int version, TableNames names) {
        return files.stream()
                .skip(version)
                .map(file -> names.in(read(path(dialect, file))))
                .toList();
    }

    /** Returns the tables that the files make, without prefix, by name. */
    List<String> tables(Dialect dialect) {
        return files.stream()
                .flatMap(file -> TABLE.matcher(read(path(dialect, file))).results())
                .map(made -> made.group(1))
                .distinct()
                .sorted()
                .toList();
    }

    private String path(Dialect dialect, String file) {
        return folder + "/" + dialect.folder() + "/" + file;
    }

    private String read(String path) {
        try (InputStream file = api.getResourceAsStream(path)) {
            if (file == null) {
                throw new IllegalStateException("The jar has no file " + path);
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read " + path, e);
        }
    }
}
