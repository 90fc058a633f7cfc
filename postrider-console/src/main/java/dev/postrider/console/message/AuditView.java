package dev.postrider.console.message;

import dev.postrider.admin.AuditEntry;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Something that a person did. */
public record AuditView(
        long entry,
        Instant at,
        String by,
        String action,
        String reason,
        @Nullable UUID messageId,
        @Nullable UUID bulkId,
        @Nullable String detail) {

    /** Returns the view of an entry. */
    public static AuditView of(AuditEntry entry) {
        return new AuditView(
                entry.entry(),
                entry.at(),
                entry.by(),
                entry.action(),
                entry.reason(),
                entry.messageId(),
                entry.bulkId(),
                entry.detail());
    }
}
