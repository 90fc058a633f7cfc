package dev.postrider.spring.boot;

import org.jspecify.annotations.Nullable;

/** The application cannot start with its settings. */
final class SettingsException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private final String action;

    SettingsException(String message, String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    String action() {
        return action;
    }
}
