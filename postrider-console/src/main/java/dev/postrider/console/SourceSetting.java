package dev.postrider.console;

import java.util.Objects;

/**
 * A setting of a source as it is in effect.
 *
 * @param name its full name, such as {@code postrider.relay.batch-size}
 * @param value its value; the console masks the values of secrets
 * @param origin where it was set, such as a file, the environment or {@code default}
 * @param secret whether the value must not be shown; names that sound like secrets are masked in any case
 */
public record SourceSetting(String name, String value, String origin, boolean secret) {

    /** Refuses a setting without a name, value or origin. */
    public SourceSetting {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(origin, "origin");
    }

    /** Names the setting without its value. */
    @Override
    public String toString() {
        return "SourceSetting[%s from %s]".formatted(name, origin);
    }
}
