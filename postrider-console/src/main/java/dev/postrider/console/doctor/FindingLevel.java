package dev.postrider.console.doctor;

import java.util.Locale;

/** How bad a finding is. */
public enum FindingLevel {
    /** As it should be. */
    OK,
    /** Good to know. */
    NOTE,
    /** A promise holds with a limit. */
    WARN,
    /** A promise does not hold. */
    BAD,
    /** Could not be looked at. */
    SKIPPED;

    /** Returns the word in the API. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
