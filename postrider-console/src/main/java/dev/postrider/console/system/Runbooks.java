package dev.postrider.console.system;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The pages that say what to do about an alert, as they are in the jar. */
final class Runbooks {

    private static final String FOLDER = "/META-INF/postrider/console/runbooks/";

    private Runbooks() {}

    /** Returns the page in Markdown; null if there is none. */
    static @Nullable String of(String alert) {
        try (InputStream page = Runbooks.class.getResourceAsStream(FOLDER + alert + ".md")) {
            return page == null ? null : new String(page.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not read the runbook of " + alert, e);
        }
    }
}
