package dev.postrider.alert;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A condition that needs a person, or its end. Never holds a payload or a secret.
 *
 * @param name which alert it is, the same for every occurrence
 * @param severity how soon a person should look
 * @param state whether the condition begins or is over
 * @param summary one sentence for the person who is woken up
 * @param details names and values, in the order they are to be shown
 * @param at when it began or was over
 */
public record Alert(
        String name, Severity severity, State state, String summary, Map<String, String> details, Instant at) {

    /** How soon a person should look. */
    public enum Severity {
        /** During the day. */
        WARNING,
        /** Now. */
        CRITICAL
    }

    /** Whether an alert begins or is over. */
    public enum State {
        /** The condition holds. */
        FIRING,
        /** The condition is over. */
        RESOLVED
    }

    /** Refuses an alert without a name and copies the details. */
    public Alert {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name must not be blank");
        }
        Objects.requireNonNull(severity, "severity");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(summary, "summary");
        Objects.requireNonNull(at, "at");
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }
}
