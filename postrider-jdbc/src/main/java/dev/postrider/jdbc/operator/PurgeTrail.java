package dev.postrider.jdbc.operator;

import dev.postrider.admin.Decision;
import dev.postrider.database.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Notes in the audit trail what a purge removes, in the transaction that removes it. A purge that goes on for ever adds
 * one entry for each interval, with all rows since the entry before. Not thread-safe.
 */
final class PurgeTrail {

    static final String ACTION = "PURGE";

    private final String what;
    private final long interval;
    private final LongSupplier nanoTime;
    private long notedAt;
    private boolean noted;
    private boolean entered;
    private long pending;

    PurgeTrail(String what, Duration interval, LongSupplier nanoTime) {
        this.what = what;
        this.interval = interval.toNanos();
        this.nanoTime = nanoTime;
    }

    /** Adds the entry if one is due; {@link #committed} tells that the transaction has ended well. */
    void removed(Session session, Decision decision, int rows) throws SQLException {
        entered = rows > 0 && (!noted || nanoTime.getAsLong() - notedAt >= interval);
        if (entered) {
            AuditTrail.addForMany(session, ACTION, decision, "%d %s".formatted(pending + rows, what));
        }
    }

    void committed(int rows) {
        if (entered) {
            noted = true;
            notedAt = nanoTime.getAsLong();
            pending = 0;
        } else {
            pending += rows;
        }
    }
}
