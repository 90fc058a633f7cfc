package dev.postrider.saga;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that was done to a saga.
 *
 * @param at when, by the database's clock
 * @param by who decided, or for a late reply who received it
 * @param action what was done, for example {@code RETRY}, {@code SKIP}, {@code COMPENSATE}, {@code EDIT},
 *     {@code CANCEL}
 * @param reason why
 * @param detail what it was done to, for example a step; null if there is nothing to add
 */
public record SagaAuditEntry(
        Instant at,
        String by,
        String action,
        String reason,
        @Nullable String detail) {

    /** Refuses an entry that does not tell when, who, what and why. */
    public SagaAuditEntry {
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(by, "by");
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(reason, "reason");
    }
}
