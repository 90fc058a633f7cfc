package dev.postrider.admin;

/**
 * What one batch removed.
 *
 * @param delivered delivered messages, archived or not
 * @param attempts attempts that did not succeed
 * @param archive messages in the archive
 * @param audit entries of the audit trail
 * @param bulk bulk actions and their rows
 * @param ended false if there may be more to remove now
 */
public record RetentionStep(long delivered, long attempts, long archive, long audit, long bulk, boolean ended) {

    /** Returns a step in which nothing was removed and nothing is left. */
    public static RetentionStep nothing() {
        return new RetentionStep(0, 0, 0, 0, 0, true);
    }

    /** Returns how many rows were removed. */
    public long removed() {
        return delivered + attempts + archive + audit + bulk;
    }

    /** Returns both together, ended as the later one is. */
    public RetentionStep then(RetentionStep next) {
        return new RetentionStep(
                delivered + next.delivered,
                attempts + next.attempts,
                archive + next.archive,
                audit + next.audit,
                bulk + next.bulk,
                next.ended);
    }
}
