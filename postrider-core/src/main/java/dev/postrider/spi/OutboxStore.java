package dev.postrider.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The outbox as a relay sees it. All times are the store's. Implementations are thread-safe and commit before they
 * return. Any exception means that the store could not be reached or refused, and never that a message is bad: a row
 * that is damaged or cannot be read is fetched like any other and handed out with a {@linkplain ClaimedMessage#defect
 * defect}.
 *
 * <p>The epoch of a shard is the only fence between relays. A fetch reads and locks nothing. A settlement changes a row
 * only while its relay owns the row's shard under the epoch of the fetch.
 */
public interface OutboxStore extends ShardStore {

    /** How many rows that have appeared are returned at once, the lowest first. */
    int MOST_APPEARED = 10_000;

    /**
     * Reads the rows of a range that are PENDING and do not wait, in enqueue order, and records them in the in-flight
     * journal before it returns. Looks at no more than {@code rows} rows of the range. A row that was claimed by
     * {@link #claimUnsharded} counts as PENDING once that claim has expired.
     */
    FetchedPage fetch(FetchRequest request, SeqRange range, int rows);

    /**
     * Reads rows whose delay or retry time has come, in the order of their due times, and records them in the in-flight
     * journal. Looks at a bounded number of rows that are due after {@code after}; null begins with the first.
     */
    FetchedDue fetchDue(FetchRequest request, @Nullable DuePosition after);

    /**
     * Returns the sequences of the rows of these shards and topics in these ranges that are PENDING and do not wait:
     * the lowest ones in ascending order, at most {@link #MOST_APPEARED}.
     */
    List<Long> appeared(Set<Integer> shards, TopicFilter topics, List<SeqRange> holes);

    /**
     * Returns the transactions that may still add rows with sequences that were drawn before this call; empty if the
     * store cannot tell. A transaction is not among them once its rows can be seen. A transaction that is not among
     * them, and was not before, draws higher sequences than any row that could be seen before this call.
     */
    Optional<Set<Writer>> writers();

    /**
     * Claims for a caller that drives its own loop, in any shard and without order per key: PENDING and due, or claimed
     * by {@code claimUnsharded} and expired, with fewer than {@code maxAttempts} attempts. Every such claim counts as
     * an attempt. Rows at the limit whose claim expired become DEAD. Rows that a live relay has in flight are left
     * alone. Rows outside {@code namespace} are left alone, also expired ones; null means all namespaces.
     */
    List<ClaimedMessage> claimUnsharded(
            String owner, int limit, Duration claimFor, int maxAttempts, @Nullable String namespace);

    /**
     * Writes outcomes back. An outcome changes no row if the relay has lost the shard, if the row was settled before,
     * or if an operator changed the row: {@link Settled#written} is lower then. An outcome whose row is locked by
     * another session is returned in {@link Settled#locked} and holds up no other outcome.
     *
     * <p>{@link Settlement.Outcome#DELIVERED} of a message that holds its key makes the next messages of the key due, a
     * bounded number of them. {@link Settlement.Outcome#BEHIND} is written only while the holder still holds the key.
     */
    Settled settle(List<Settlement> outcomes);

    /**
     * Records that this message alone is about to be in flight.
     *
     * @return false if the relay has lost the shard, or the row has changed
     */
    boolean beginTrial(ClaimedMessage claimed);

    /**
     * Makes messages due that wait behind a message that is no longer ahead, as a crash between two steps can leave
     * them. Looks at a bounded number of waiting messages above {@code after}, in enqueue order.
     */
    Unblocked unblock(Set<Integer> shards, long after);

    /** Records which topics this relay cannot reach, instead of what it recorded before. */
    void saveGates(String relay, List<ClosedGate> closed);

    /** Whether payloads are stored encrypted and handed out decrypted, so that nobody else may write them to a disk. */
    boolean decrypts();
}
