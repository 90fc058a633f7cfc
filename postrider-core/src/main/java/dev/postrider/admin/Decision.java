package dev.postrider.admin;

import java.util.Objects;

/**
 * Who does something to messages, and why. Both are written to the audit trail.
 *
 * @param by who decided, for example a login name
 * @param reason why, for the person who asks later
 */
public record Decision(String by, String reason) {

    private static final int MAX_BY = 200;
    private static final int MAX_REASON = 2_000;

    /** Refuses a decision of nobody or without a reason. */
    public Decision {
        check("by", Objects.requireNonNull(by, "by"), MAX_BY);
        check("reason", Objects.requireNonNull(reason, "reason"), MAX_REASON);
    }

    private static void check(String what, String value, int max) {
        if (value.isBlank() || value.length() > max) {
            throw new IllegalArgumentException("%s must have 1 to %d characters but has %d"
                    .formatted(what, max, value.strip().length()));
        }
    }
}
