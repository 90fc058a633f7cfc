package dev.postrider.console.doctor;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that a check found.
 *
 * @param check what was looked at, in a few words
 * @param level how bad it is
 * @param found what is there
 * @param means what it means for which promise
 * @param action what to do; null if nothing is to be done
 */
public record Finding(
        String check,
        FindingLevel level,
        String found,
        String means,
        @Nullable String action) {

    /** Refuses a finding that leaves its reader without a meaning. */
    public Finding {
        Objects.requireNonNull(check, "check");
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(found, "found");
        Objects.requireNonNull(means, "means");
    }

    /** Returns a finding that all is well. */
    public static Finding ok(String check, String found, String means) {
        return new Finding(check, FindingLevel.OK, found, means, null);
    }

    /** Returns a finding that is good to know. */
    public static Finding note(String check, String found, String means) {
        return new Finding(check, FindingLevel.NOTE, found, means, null);
    }

    /** Returns a finding that limits a promise. */
    public static Finding warn(String check, String found, String means, String action) {
        return new Finding(check, FindingLevel.WARN, found, means, action);
    }

    /** Returns a finding that breaks a promise. */
    public static Finding bad(String check, String found, String means, String action) {
        return new Finding(check, FindingLevel.BAD, found, means, action);
    }

    /** Returns a finding that nothing could be found out. */
    public static Finding skipped(String check, String why) {
        return new Finding(check, FindingLevel.SKIPPED, why, "Nothing is known about it.", null);
    }
}
