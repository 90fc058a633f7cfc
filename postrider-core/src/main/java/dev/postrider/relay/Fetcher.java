package dev.postrider.relay;

import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.Outlook;
import dev.postrider.spi.SeqRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds what to claim and claims it. It looks before it claims, and claims no further than it looked: a message that
 * can be seen was enqueued after the earlier messages of its key had committed, so the same look shows them too, above
 * the head or in a gap. For one thread at a time.
 */
final class Fetcher {

    private static final int MOST_CLUSTERS = 20;

    private final OutboxStore store;
    private final RelayState state;
    private @Nullable Claim unanswered;
    private @Nullable Claim rest;
    private @Nullable ClaimRequest unansweredWaiting;

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

    /** A claim under way; if its outcome is unknown, it is repeated as it was until the store answers. */
    record Claim(ClaimRequest request, SeqRange range, Kind kind, List<Long> seen) {

        enum Kind {
            /** Above the head. */
            HEAD,
            /** Where rows have appeared. */
            GAP,
            /** Where rows may have appeared. */
            SWEEP,
            /** Above what a repeated claim reached. */
            REST
        }

        /** Returns the same claim above what it has handed out, or null if it was not cut short. */
        @Nullable Claim restAfter(ClaimedBatch batch) {
            long reached =
                    batch.messages().stream().mapToLong(ClaimedMessage::seq).reduce(batch.scannedTo(), Math::max);
            return batch.full() && reached > range.after() && reached < range.upTo()
                    ? new Claim(request, new SeqRange(reached, range.upTo()), Kind.REST, List.of())
                    : null;
        }
    }

    Fetcher(OutboxStore store, RelayState state) {
        this.store = store;
        this.state = state;
    }

    /** Claims what fits. */
    Fetched fetch() {
        Fetched fetched = claim();
        return claimWaiting() ? Fetched.FULL : fetched;
    }

    private Fetched claim() {
        if (unanswered != null) {
            return repeat(unanswered);
        }
        ClaimSize room = state.room();
        if (room == null) {
            return Fetched.SATURATED;
        }
        if (rest != null) {
            return repeat(rest);
        }
        RelayState.Plan plan = state.plan(room);
        if (plan == null) {
            return Fetched.NOTHING;
        }
        SeqRange sweep = plan.sweep();
        if (sweep != null) {
            run(new Claim(plan.request(), sweep, Claim.Kind.SWEEP, List.of()));
            return Fetched.FULL;
        }
        return claim(plan);
    }

    private Fetched claim(RelayState.Plan plan) {
        Outlook outlook = store.look(plan.after(), plan.ahead(), plan.gaps());
        List<SeqRange> clusters = Gaps.clusters(state.looked(outlook));
        for (SeqRange cluster : clusters.subList(0, Math.min(MOST_CLUSTERS, clusters.size()))) {
            ClaimRequest request = state.withNewToken(plan.request());
            ClaimedBatch batch = run(new Claim(request, cluster, Claim.Kind.GAP, outlook.appeared()));
            if (batch.scannedTo() < cluster.upTo()) {
                // A row that could not be claimed yet: later ones of its key have to wait for it.
                return batch.full() ? Fetched.FULL : Fetched.SOME;
            }
        }
        if (clusters.size() > MOST_CLUSTERS || outlook.appeared().size() >= Outlook.MOST_APPEARED) {
            return Fetched.FULL;
        }
        List<Long> above = outlook.above();
        if (above.isEmpty()) {
            return clusters.isEmpty() ? Fetched.NOTHING : Fetched.SOME;
        }
        SeqRange range = new SeqRange(plan.after(), above.get(above.size() - 1));
        ClaimedBatch batch = run(new Claim(plan.request(), range, Claim.Kind.HEAD, above));
        return batch.full() || above.size() == plan.ahead() ? Fetched.FULL : Fetched.SOME;
    }

    // Other rows may have come before those an unanswered claim had taken, and filled its repetition: what is left can
    // be claimed under the same token only, and before anything else. A store that takes the relay for dead claims
    // nothing, and so does not tell whether there is something left.
    private Fetched repeat(Claim claim) {
        ClaimRequest request = state.again(claim.request());
        if (request == null) {
            return Fetched.NOTHING;
        }
        Claim again = new Claim(request, claim.range(), claim.kind(), claim.seen());
        unanswered = again;
        ClaimedBatch batch = store.claim(request, again.range());
        if (batch.messages().isEmpty() && !state.mayClaim()) {
            return Fetched.NOTHING;
        }
        unanswered = null;
        rest = again.restAfter(batch);
        state.claimed(again, batch);
        state.yieldToRewound(again.range(), batch.messages());
        return Fetched.FULL;
    }

    private ClaimedBatch run(Claim claim) {
        unanswered = claim;
        ClaimedBatch batch = store.claim(claim.request(), claim.range());
        unanswered = null;
        state.claimed(claim, batch);
        return batch;
    }

    private boolean claimWaiting() {
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
        List<ClaimedMessage> due = store.claimWaiting(request);
        if (repeated && due.isEmpty() && !state.mayClaim()) {
            return false;
        }
        unansweredWaiting = null;
        state.dueClaimed(due);
        return due.size() == request.size().messages();
    }
}
