package dev.postrider.admin;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something a person did to a message.
 *
 * @param entry its place in the audit trail; later entries have higher numbers
 * @param at when, by the database's clock
 * @param by who decided
 * @param action what was done, for example {@code REQUEUE}, {@code DISCARD}, {@code REPLAY}, {@code EDIT},
 *     {@code RESTORE}, {@code RESTORE_BACKUP} or {@code PURGE}
 * @param reason why
 * @param messageId the message it was done to; null if it was not done to one message
 * @param bulkId the action on many messages that it is a part of; null if there is none
 * @param detail namespace, topic and type of the message, or how many rows were removed; never a payload
 */
public record AuditEntry(
        long entry,
        Instant at,
        String by,
        String action,
        String reason,
        @Nullable UUID messageId,
        @Nullable UUID bulkId,
        @Nullable String detail) {

    /** Refuses an entry that does not tell when, who, what and why. */
    public AuditEntry {
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(by, "by");
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(reason, "reason");
    }
}
