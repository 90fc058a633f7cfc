package dev.postrider.safety;

/**
 * Counts of dead messages by the level that took them, since the net was built.
 *
 * @param database how many the database recorded, the normal way
 * @param file how many are saved in a backup file
 * @param alert how many an alert was sent for
 * @param failed how often the file or the alert could not take a message
 * @param lost how many only the log has; their rows are still in the database, PENDING
 */
public record SafetyNetCounts(long database, long file, long alert, long failed, long lost) {}
