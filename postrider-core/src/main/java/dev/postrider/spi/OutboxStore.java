package dev.postrider.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The outbox as a relay sees it. All times are the store's. Implementations are thread-safe and commit before they
 * return. Any exception means that the store could not be reached or refused, and never that a message is bad: a row
 * that is damaged or cannot be read is claimed like any other and handed out with a {@linkplain ClaimedMessage#defect
 * defect}.
 */
public interface OutboxStore extends ShardStore {

    /**
     * Looks at the next rows above {@code after}, at most {@code limit} of them, and at rows that have appeared in
     * {@code gaps}. Nothing is claimed or locked.
     */
    Outlook look(long after, int limit, List<SeqRange> gaps);

    /**
     * Returns the transactions that may still add rows with sequences that were drawn before this call; empty if the
     * store cannot tell. A transaction is not among them once its rows can be seen. A transaction that is not among
     * them, and was not before, draws higher sequences than any row that could be seen before this call.
     */
    Optional<Set<Writer>> writers();

    /**
     * Claims messages that are PENDING and not waiting, or whose claim was lost, in enqueue order. A claim is lost when
     * its time is over or its shard has a newer epoch.
     *
     * <p>A message whose key is held by an earlier one is not claimed but put behind it. A message is never claimed
     * while an earlier claimable one of its key could not be, for example because somebody else has locked the row.
     */
    ClaimedBatch claim(ClaimRequest request, SeqRange range);

    /**
     * Claims as {@link #claim} does in a range nobody has looked at, and tells which rows it saw there. A store that
     * can do both at once spares a relay that expects messages the way there and back.
     */
    default Sighting lookAndClaim(ClaimRequest request, SeqRange range) {
        int rows = (int) Math.min(range.upTo() - range.after(), Integer.MAX_VALUE);
        List<Long> seen = look(range.after(), rows, List.of()).above().stream()
                .takeWhile(seq -> seq <= range.upTo())
                .toList();
        return seen.isEmpty()
                ? new Sighting(seen, new ClaimedBatch(List.of(), range.after(), false))
                : new Sighting(seen, claim(request, new SeqRange(range.after(), seen.get(seen.size() - 1))));
    }

    /**
     * Claims messages whose delay or retry time has come. Of the messages that hold a key, only the first is claimed.
     */
    List<ClaimedMessage> claimWaiting(ClaimRequest request);

    /**
     * Claims for somebody who drives their own loop, in any shard and without order per key: PENDING and due, or
     * claimed by {@code claimUnsharded} and expired, with fewer than {@code maxAttempts} attempts. Every such claim
     * counts as an attempt. Rows at the limit whose claim expired become DEAD. Rows outside {@code namespace} are left
     * alone, also expired ones; null means all namespaces.
     */
    List<ClaimedMessage> claimUnsharded(
            String owner, int limit, Duration claimFor, int maxAttempts, @Nullable String namespace);

    /**
     * Writes outcomes back, all or nothing. An outcome whose claim was lost changes no row: the new owner decides.
     *
     * @return how many outcomes were written
     */
    int settle(List<Settlement> outcomes);

    /**
     * Lets claims end later, {@code claimFor} from now.
     *
     * @return how many are still held
     */
    int extend(List<ClaimedMessage> claims, Duration claimFor);

    /**
     * Records that this message alone is about to be in flight.
     *
     * @return false if the claim was lost
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
