package dev.postrider.safety;

/**
 * What became of dead messages, since the net was built.
 *
 * @param database how many the database recorded, the normal way
 * @param file how many are saved in a backup file
 * @param alert how many people were told about
 * @param failed how often the file or the alert could not take a message
 * @param lost how many nothing but the log took; their rows are still in the database, claimed
 */
public record SafetyNetCounts(long database, long file, long alert, long failed, long lost) {}
