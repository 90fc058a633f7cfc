package dev.postrider.spring.boot.internal;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The application cannot start with its settings. */
public final class SettingsException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private final String action;

    public SettingsException(String message, String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    /** Returns what {@code work} makes; a value that it refuses becomes an error of the settings. */
    public static <T> T checked(Supplier<T> work, String what, String action) {
        try {
            return work.get();
        } catch (IllegalArgumentException e) {
            throw new SettingsException("%s: %s".formatted(what, e.getMessage()), action, e);
        }
    }

    public String action() {
        return action;
    }
}
