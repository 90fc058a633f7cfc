package dev.postrider.admin;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which entries of the audit trail are meant; null means that it does not matter.
 *
 * @param messageId the message it was done to
 * @param bulkId the action on many messages that it was a part of
 * @param by who decided
 * @param from done at or after
 * @param before done before
 */
public record AuditFilter(
        @Nullable UUID messageId,
        @Nullable UUID bulkId,
        @Nullable String by,
        @Nullable Instant from,
        @Nullable Instant before) {

    /** Returns a filter that every entry passes. */
    public static AuditFilter all() {
        return new AuditFilter(null, null, null, null, null);
    }

    /** Returns a filter for what was done to one message. */
    public static AuditFilter ofMessage(UUID id) {
        return new AuditFilter(Objects.requireNonNull(id, "id"), null, null, null, null);
    }

    /** Returns a filter for what was done at a time or later. */
    public static AuditFilter since(Instant time) {
        return new AuditFilter(null, null, null, Objects.requireNonNull(time, "time"), null);
    }
}
