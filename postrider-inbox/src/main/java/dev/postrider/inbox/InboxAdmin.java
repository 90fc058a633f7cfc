package dev.postrider.inbox;

import dev.postrider.admin.Decision;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What a person may see of an inbox and do to its parked messages. Thread-safe. */
public interface InboxAdmin {

    /** Returns what this consumer did about a message; empty if it has never seen it, or has forgotten it by now. */
    Optional<InboxEntry> lookup(String consumer, String messageId);

    /**
     * Returns the names of the consumers of which the tables hold anything, in the database's order.
     *
     * @param limit from 1 to 1,000; each name costs a look at three indexes, however many messages it has handled
     */
    List<String> consumers(int limit);

    /**
     * Returns parked messages of a consumer, oldest first, also those that are released but not handled yet.
     *
     * @param after the {@link ParkedMessage#place} of the last one seen; 0 to begin
     * @param limit from 1 to 1,000
     */
    List<ParkedMessage> parked(String consumer, long after, int limit);

    /**
     * Lets the consumer try these again, with as many attempts as a new message has. Those that wait behind them follow
     * by themselves.
     *
     * <p>A message that failed and is not parked cannot be released: its payload is not kept, and it comes again by
     * itself.
     *
     * @param messageIds at most 1,000
     * @return how many were parked and are released
     */
    int release(String consumer, Collection<String> messageIds, Decision decision);

    /**
     * Gives these up: they will never be handled, even if they come again within the retention time. Those that wait
     * behind them go on. A message that failed and is not parked can be given up as well: with {@link Dedupe#SEQUENCE}
     * it holds its key, also if it never comes again.
     *
     * @param messageIds at most 1,000
     * @return how many are discarded
     */
    int discard(String consumer, Collection<String> messageIds, Decision decision);

    /**
     * Removes marks that are older than {@code age}, and what is left of failures and discarded messages of that age.
     * Parked messages stay. Never use an age below the retention of the inboxes on these tables: they could not tell
     * duplicates any more.
     *
     * @param limit how many rows at most
     * @return how many were removed; if it is the limit, there may be more
     */
    int purge(Duration age, int limit);
}
