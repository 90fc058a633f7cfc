package dev.postrider.relay;

import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Outlook;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Sighting;
import dev.postrider.spi.Writer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds what to claim and claims it, in an order that keeps the order of keys. A scan passes holes in the sequence, and
 * transactions that have not committed fill them later. So after every scan the relay reads which transactions are open
 * and scans the holes of those that have ended once more, before anything is sent: a message that could be claimed was
 * enqueued after the earlier messages of its key had committed, so the later scan finds them all. For one thread at a
 * time.
 */
final class Fetcher {

    private static final int MOST_LOOKS = 20;
    private static final int MOST_LATE_CLAIMS = 8;

    private final OutboxStore store;
    private final RelayState state;
    private final List<ClaimedMessage> collected = new ArrayList<>();
    private @Nullable Claim unanswered;

    // A gap may be claimed, and stay without an answer, while there is a rest already: the last one goes first.
    private final Deque<Claim> rests = new ArrayDeque<>();
    private @Nullable ClaimRequest unansweredWaiting;

    private final Expectation expectation = new Expectation();

    // Of the fetch under way, or of the last one.
    private boolean asked;
    private boolean full;
    private int taken;

    /** What a fetch came to. */
    enum Fetched {
        /** Nothing to claim, or not allowed to. */
        NOTHING,
        /** Some messages. */
        SOME,
        /** More is likely waiting. */
        FULL,
        /** The prefetch limit is reached; outcomes have to be settled first. */
        SATURATED
    }

    Fetcher(OutboxStore store, RelayState state) {
        this.store = store;
        this.state = state;
    }

    /** Claims what fits of the messages that are new. */
    Fetched fetch() {
        asked = false;
        full = false;
        taken = 0;
        Fetched fetched = claim();
        // Without room for a claim nothing was learnt about how much there is.
        if (fetched != Fetched.SATURATED) {
            expectation.fetched(fetched == Fetched.FULL, taken);
        }
        return fetched;
    }

    /** Says that messages have been enqueued since the last fetch. */
    void expect() {
        expectation.expect();
    }

    /** Returns whether the last fetch asked the store for anything. */
    boolean asked() {
        return asked;
    }

    /** Returns how many messages the last fetch claimed. */
    int taken() {
        return taken;
    }

    /** Returns whether the last fetch took or saw as much as it was allowed to. */
    boolean full() {
        return full;
    }

    private Fetched claim() {
        try {
            Claim again = unanswered == null ? rests.peek() : unanswered;
            Fetched fetched = again == null ? claimNext() : repeat(again);
            if (unanswered == null && fetched != Fetched.SATURATED) {
                Predicate<ClaimedMessage> complete = claimLate();
                // Rows that came back meanwhile lie below what was claimed, and go first.
                long back = state.wentBackTo();
                hand(claimed -> claimed.seq() <= back && complete.test(claimed));
            }
            return fetched;
        } finally {
            // Something failed on the way: what was claimed must not miss that its key is blocked in the meantime.
            hand(claimed -> false);
        }
    }

    private void hand(Predicate<ClaimedMessage> complete) {
        if (!collected.isEmpty()) {
            state.accept(List.copyOf(collected), complete);
            collected.clear();
        }
    }

    private Fetched claimNext() {
        ClaimSize room = state.room();
        if (room == null) {
            return Fetched.SATURATED;
        }
        Scan.Plan plan = state.plan(room);
        if (plan == null) {
            return Fetched.NOTHING;
        }
        SeqRange sweep = plan.sweep();
        if (sweep != null) {
            run(new Claim(plan.request(), sweep, Claim.Kind.SWEEP, List.of()));
            return Fetched.FULL;
        }
        Fetched unseen = expectation.expecting() ? claimUnseen(plan) : Fetched.NOTHING;
        Fetched fetched = unseen == Fetched.NOTHING ? claimSeen(plan) : unseen;
        return fetched == Fetched.NOTHING && state.hasMoreToSweep() ? Fetched.SOME : fetched;
    }

    // The range has an end, so that a claim without an answer can be repeated as it was.
    private Fetched claimUnseen(Scan.Plan plan) {
        int ahead = expectation.claim(plan.ahead());
        if (plan.after() >= Long.MAX_VALUE - ahead) {
            return Fetched.NOTHING;
        }
        SeqRange range = new SeqRange(plan.after(), plan.after() + ahead);
        Sighting sighting = run(new Claim(plan.request().atMost(ahead), range, Claim.Kind.UNSEEN, List.of()));
        expectation.saw(sighting, ahead);
        return sighting.seen().isEmpty() ? Fetched.NOTHING : found(sighting, ahead);
    }

    private Fetched claimSeen(Scan.Plan plan) {
        List<Long> above = look(plan.after(), plan.ahead(), List.of()).above();
        if (above.isEmpty()) {
            return Fetched.NOTHING;
        }
        SeqRange range = new SeqRange(plan.after(), above.get(above.size() - 1));
        return found(run(new Claim(plan.request(), range, Claim.Kind.HEAD, above)), plan.ahead());
    }

    private Fetched found(Sighting sighting, int ahead) {
        boolean more = sighting.batch().full() || sighting.seen().size() == ahead;
        full |= more;
        return more ? Fetched.FULL : Fetched.SOME;
    }

    // Returns which of the collected messages have no earlier one of their key below them that can be seen. Those found
    // in one round have been checked only after the next: another writer may have committed before them meanwhile.
    private Predicate<ClaimedMessage> claimLate() {
        Set<Flight.Id> checked = Set.of();
        for (int round = 0; round < MOST_LOOKS; round++) {
            if (!state.hasHoles()) {
                return claimed -> true;
            }
            asked = true;
            Optional<Set<Writer>> writers = store.writers();
            if (writers.isEmpty()) {
                state.writersUnknown();
                long complete = claimAppeared();
                return claimed -> claimed.seq() <= complete;
            }
            checked = collected.stream().map(Flight.Id::of).collect(Collectors.toSet());
            for (SeqRange range : state.review(writers.get())) {
                if (!claimAll(range)) {
                    return claimed -> false;
                }
            }
            state.reviewed();
            if (collected.size() == checked.size()) {
                return claimed -> true;
            }
        }
        Set<Flight.Id> complete = checked;
        return claimed -> complete.contains(Flight.Id.of(claimed));
    }

    /** Returns whether every row of the range that can be claimed now is. */
    private boolean claimAll(SeqRange range) {
        SeqRange left = range;
        for (int claims = 0; claims < MOST_LATE_CLAIMS; claims++) {
            ClaimRequest request = state.gapRequest();
            if (request == null) {
                return false;
            }
            ClaimedBatch batch =
                    run(new Claim(request, left, Claim.Kind.LATE, List.of())).batch();
            if (batch.scannedTo() >= left.upTo()) {
                return true;
            }
            List<Long> next = look(batch.scannedTo(), 1, List.of()).above();
            if (next.isEmpty() || next.get(0) > left.upTo()) {
                return true;
            }
            if (!batch.full() || batch.scannedTo() <= left.after()) {
                return false;
            }
            left = new SeqRange(batch.scannedTo(), left.upTo());
        }
        return false;
    }

    // Returns up to which sequence what was collected is complete; the rest must not be sent yet.
    private long claimAppeared() {
        Set<Long> expected = new HashSet<>();
        boolean surprised = true;
        for (int look = 0; look < MOST_LOOKS && surprised; look++) {
            Outlook outlook = state.gaps().isEmpty() ? null : look(Long.MAX_VALUE, 1, state.gaps());
            if (outlook == null) {
                return Long.MAX_VALUE;
            }
            List<Long> appeared = state.looked(outlook);
            expected.addAll(appeared);
            surprised = appeared.size() >= Outlook.MOST_APPEARED;
            for (SeqRange cluster : Gaps.clusters(appeared)) {
                ClaimRequest request = state.gapRequest();
                if (request == null) {
                    return cluster.after();
                }
                ClaimedBatch batch = run(new Claim(request, cluster, Claim.Kind.GAP, appeared))
                        .batch();
                // A row that came up since the look may have an earlier one in another gap.
                surprised |= batch.messages().stream().anyMatch(claimed -> !expected.contains(claimed.seq()));
                if (batch.scannedTo() < cluster.upTo()) {
                    return batch.scannedTo();
                }
            }
        }
        return surprised ? state.lowestGap() : Long.MAX_VALUE;
    }

    // Other rows may have come before those an unanswered claim had taken, and filled its repetition: what is left
    // can be claimed under the same token only, and before anything else.
    private Fetched repeat(Claim claim) {
        if (!state.mayClaim()) {
            return Fetched.NOTHING;
        }
        unanswered = claim;
        rests.remove(claim);
        Sighting sighting = ask(claim);
        if (saysNothing(claim.range(), sighting.batch())) {
            unanswered = claim.within(state.shards());
            return Fetched.SOME;
        }
        unanswered = null;
        claim.restAfter(sighting.batch()).ifPresent(rests::push);
        take(claim, sighting);
        return Fetched.FULL;
    }

    // A store that takes the relay for dead, or a shard for somebody else's, does not pass any row.
    private boolean saysNothing(SeqRange range, ClaimedBatch batch) {
        if (!batch.messages().isEmpty() || batch.scannedTo() > range.after()) {
            return false;
        }
        List<Long> next = look(range.after(), 1, List.of()).above();
        return !next.isEmpty() && next.get(0) <= range.upTo();
    }

    private Sighting run(Claim claim) {
        unanswered = claim;
        Sighting sighting = ask(claim);
        unanswered = null;
        take(claim, sighting);
        return sighting;
    }

    private Outlook look(long after, int limit, List<SeqRange> gaps) {
        asked = true;
        return store.look(after, limit, gaps);
    }

    private Sighting ask(Claim claim) {
        asked = true;
        return claim.kind() == Claim.Kind.UNSEEN
                ? store.lookAndClaim(claim.request(), claim.range())
                : new Sighting(claim.seen(), store.claim(claim.request(), claim.range()));
    }

    private void take(Claim claim, Sighting sighting) {
        ClaimedBatch batch = sighting.batch();
        state.claimed(claim.having(sighting.seen()), batch);
        collected.addAll(batch.messages());
        taken += batch.messages().size();
        full |= batch.full();
    }

    /** Claims what fits of those whose time has come, and returns whether more is likely waiting. */
    boolean fetchWaiting() {
        boolean repeated = unansweredWaiting != null;
        if (!repeated) {
            ClaimSize room = state.room();
            ClaimRequest request = room == null ? null : state.request(room);
            if (request == null || !state.waitingDue()) {
                return false;
            }
            unansweredWaiting = request;
        }
        ClaimRequest request = unansweredWaiting;
        if (request == null || !state.mayClaim()) {
            return false;
        }
        asked = true;
        List<ClaimedMessage> due = store.claimWaiting(request);
        if (repeated && due.isEmpty() && !state.mayClaim()) {
            return false;
        }
        unansweredWaiting = null;
        state.dueClaimed(due);
        boolean more = due.size() == request.size().messages();
        taken += due.size();
        full |= more;
        return more;
    }
}
