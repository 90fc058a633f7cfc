package dev.postrider.services;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Properties;

/** Finds the archives that Maven fetched into its local repository. */
final class Artifacts {

    private static final String PATHS = "/services.properties";

    private Artifacts() {}

    static Path path(String name) {
        return Path.of(value(name));
    }

    static String value(String name) {
        Properties paths = new Properties();
        try (InputStream file = Artifacts.class.getResourceAsStream(PATHS)) {
            if (file == null) {
                throw new IllegalStateException(PATHS + " is not on the class path");
            }
            paths.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read " + PATHS, e);
        }
        String value = paths.getProperty(name);
        if (value == null) {
            throw new IllegalArgumentException("Nothing about " + name + " in " + PATHS);
        }
        return value;
    }
}
