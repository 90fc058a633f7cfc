package dev.postrider.admin;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long things are kept. Null means for ever, zero means no longer than necessary. Messages that are not DELIVERED
 * are always kept.
 *
 * @param delivered delivered messages, from their delivery on
 * @param archived whether delivered messages move to the archive instead of being gone
 * @param attempts the history of attempts that did not succeed
 * @param archive messages in the archive, from the day they came there
 * @param audit who did what, and why
 * @param bulk bulk actions that have ended, with what became of each message
 */
public record Retention(
        @Nullable Duration delivered,
        boolean archived,
        @Nullable Duration attempts,
        @Nullable Duration archive,
        @Nullable Duration audit,
        @Nullable Duration bulk) {

    private static final Duration MONTH = Duration.ofDays(30);
    private static final Duration YEAR = Duration.ofDays(365);

    /** Refuses a negative age. */
    public Retention {
        check("delivered", delivered);
        check("attempts", attempts);
        check("archive", archive);
        check("audit", audit);
        check("bulk", bulk);
    }

    /** Returns 30 days for delivered messages and attempts, without archiving, and 365 days for everything else. */
    public static Retention defaults() {
        return new Retention(MONTH, false, MONTH, YEAR, YEAR, YEAR);
    }

    /** Returns the policy that keeps everything for ever. */
    public static Retention forEver() {
        return new Retention(null, false, null, null, null, null);
    }

    /** Returns this policy with another age of {@link #delivered} messages. */
    public Retention withDelivered(@Nullable Duration value) {
        return new Retention(value, archived, attempts, archive, audit, bulk);
    }

    /** Returns this policy, delivered messages going to the archive or not. */
    public Retention withArchived(boolean value) {
        return new Retention(delivered, value, attempts, archive, audit, bulk);
    }

    /** Returns this policy with another age of {@link #attempts}. */
    public Retention withAttempts(@Nullable Duration value) {
        return new Retention(delivered, archived, value, archive, audit, bulk);
    }

    /** Returns this policy with another age of messages in the {@link #archive}. */
    public Retention withArchive(@Nullable Duration value) {
        return new Retention(delivered, archived, attempts, value, audit, bulk);
    }

    /** Returns this policy with another age of the {@link #audit} trail. */
    public Retention withAudit(@Nullable Duration value) {
        return new Retention(delivered, archived, attempts, archive, value, bulk);
    }

    /** Returns this policy with another age of {@link #bulk} actions. */
    public Retention withBulk(@Nullable Duration value) {
        return new Retention(delivered, archived, attempts, archive, audit, value);
    }

    private static void check(String what, @Nullable Duration age) {
        if (age != null && age.isNegative()) {
            throw new IllegalArgumentException("%s must not be negative but was %s".formatted(what, age));
        }
    }
}
