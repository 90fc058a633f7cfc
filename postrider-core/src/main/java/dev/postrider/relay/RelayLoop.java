package dev.postrider.relay;

import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a relay does, one step at a time: fetch claims messages, send hands them to the publisher, settle writes the
 * outcomes back. No step waits for the broker, so threads drive them in production and a simulator drives them in
 * virtual time. Thread-safe; each step is meant for one thread.
 */
final class RelayLoop {

    private static final int SETTLE_BATCH = 1_000;

    private final OutboxStore store;
    private final MessagePublisher publisher;
    private final RelayConfig config;
    private final RelayListener listener;
    private final Runnable progress;
    private final RelayState state;

    // A claim must not overlap the settlement of anything but plain deliveries: it would miss a key that is being
    // blocked, or put a message behind one that is just being delivered.
    private final ReentrantLock order = new ReentrantLock(true);

    private RelayState.@Nullable PendingClaim pendingClaim;
    private RelayState.@Nullable PendingClaim pendingRest;
    private @Nullable ClaimRequest pendingWaiting;
    private List<Settlement> unwritten = List.of();

    /** What a fetch came to. */
    enum Fetched {
        /** Nothing to claim, or not allowed to. */
        NOTHING,
        /** Some messages. */
        SOME,
        /** More is likely waiting: as many as asked for, or a sweep that did not look at the newest rows. */
        FULL,
        /** The prefetch limit is reached; outcomes have to be settled first. */
        SATURATED
    }

    /** Calls {@code progress} whenever there may be something new to send or to settle. */
    RelayLoop(OutboxStore store, MessagePublisher publisher, RelayConfig config, Runnable progress) {
        this.store = store;
        this.publisher = publisher;
        this.config = config;
        this.listener = config.listener;
        this.progress = progress;
        this.state = new RelayState(config);
    }

    RelayState state() {
        return state;
    }

    /** Claims what fits. */
    Fetched fetch() {
        order.lock();
        try {
            Fetched fetched = pendingRest == null ? claim() : claimRest(pendingRest);
            return claimWaiting() ? Fetched.FULL : fetched;
        } finally {
            order.unlock();
        }
    }

    private Fetched claim() {
        boolean repeated = pendingClaim != null;
        if (!repeated) {
            ClaimSize room = state.room();
            if (room == null) {
                return Fetched.SATURATED;
            }
            pendingClaim = state.nextClaim(room);
        }
        RelayState.PendingClaim claim = pendingClaim;
        if (claim == null) {
            return Fetched.NOTHING;
        }
        ClaimedBatch batch = store.claim(claim.request(), claim.range());
        pendingClaim = null;
        pendingRest = repeated ? claim.restOf(batch) : null;
        state.scanned(claim.range(), batch);
        claimed(batch.messages());
        boolean sweep = claim.range().upTo() < Long.MAX_VALUE;
        if (batch.full() || sweep) {
            return Fetched.FULL;
        }
        return batch.messages().isEmpty() ? Fetched.NOTHING : Fetched.SOME;
    }

    // Other rows may have come before those an unanswered claim had taken, and filled its repetition. The rest of them
    // is claimable under the same token only.
    private Fetched claimRest(RelayState.PendingClaim rest) {
        if (state.room() == null) {
            return Fetched.SATURATED;
        }
        ClaimedBatch batch = store.claim(rest.request(), rest.range());
        pendingRest = rest.restOf(batch);
        state.accepted(batch.messages());
        claimed(batch.messages());
        return Fetched.FULL;
    }

    private boolean claimWaiting() {
        if (pendingWaiting == null) {
            ClaimSize room = state.room();
            ClaimRequest request = room == null ? null : state.request(room);
            if (request == null || !state.waitingDue()) {
                return false;
            }
            pendingWaiting = request;
        }
        ClaimRequest request = pendingWaiting;
        List<ClaimedMessage> due = store.claimWaiting(request);
        pendingWaiting = null;
        state.dueClaimed(due);
        claimed(due);
        return due.size() == request.size().messages();
    }

    private void claimed(List<ClaimedMessage> messages) {
        if (!messages.isEmpty()) {
            listener.claimed(messages.size());
            progress.run();
        }
    }

    /** Hands everything that is ready to the publisher, unless the ownership is about to end. */
    void send() {
        List<ClaimedMessage> wave = state.takeReady();
        while (!wave.isEmpty()) {
            publish(wave);
            wave = state.takeReady();
        }
    }

    private void publish(List<ClaimedMessage> wave) {
        if (config.isSuspect(wave.get(0)) && !mayTry(wave.get(0))) {
            return;
        }
        try {
            publisher.publish(wave, this::answer);
        } catch (Exception e) {
            listener.turnFailed("send", e);
            wave.forEach(claimed -> end(claimed, PublishResult.unavailable(e.toString())));
        }
    }

    // A suspect is marked before it is sent: if the process dies now, this message alone is to blame.
    private boolean mayTry(ClaimedMessage suspect) {
        if (suspect.onTrial()) {
            end(
                    suspect,
                    PublishResult.rejected("Quarantined: the process died %d times while this message was in flight"
                            .formatted(suspect.lostClaims())));
            return false;
        }
        boolean held = false;
        try {
            held = store.beginTrial(suspect);
        } catch (RuntimeException e) {
            listener.turnFailed("send", e);
        }
        if (!held) {
            state.giveBack(suspect);
            progress.run();
        }
        return held;
    }

    /** Takes an answer of the publisher; only the first for each claim counts. */
    void answer(ClaimedMessage claimed, PublishResult result) {
        if (!end(claimed, result)) {
            listener.answerIgnored();
        }
    }

    private boolean end(ClaimedMessage claimed, PublishResult result) {
        RelayState.Gate gate = state.answered(claimed, result);
        if (gate == null) {
            return false;
        }
        switch (gate) {
            case CLOSED -> listener.gateClosed(TopicName.of(claimed.message()), String.valueOf(result.error()));
            case OPENED -> listener.gateOpened(TopicName.of(claimed.message()));
            case UNCHANGED -> {}
        }
        progress.run();
        return true;
    }

    /** Writes outcomes back and returns how many; what the store did not take is tried again with the next call. */
    int settle() {
        if (unwritten.isEmpty()) {
            unwritten = state.takeOutcomes(SETTLE_BATCH);
        }
        List<Settlement> outcomes = unwritten;
        if (outcomes.isEmpty()) {
            return 0;
        }
        boolean plain = outcomes.stream().allMatch(RelayLoop::isPlain);
        if (!plain) {
            order.lock();
        }
        try {
            int written = store.settle(outcomes);
            unwritten = List.of();
            if (state.settled(outcomes)) {
                progress.run();
            }
            report(outcomes, written);
            return outcomes.size();
        } finally {
            if (!plain) {
                order.unlock();
            }
        }
    }

    private static boolean isPlain(Settlement settlement) {
        return settlement.outcome() == Settlement.Outcome.DELIVERED
                && !settlement.claimed().held();
    }

    private void report(List<Settlement> outcomes, int written) {
        listener.settled(outcomes);
        if (written < outcomes.size()) {
            listener.claimsLost(outcomes.size() - written);
        }
    }

    /** Lets claims that take long end later. */
    void extendClaims() {
        long nanos = config.nanoTime.getAsLong();
        List<Flight> old = state.claimsOlderThan(config.claimFor.dividedBy(3));
        if (!old.isEmpty()) {
            store.extend(old.stream().map(flight -> flight.claimed).toList(), config.claimFor);
            state.extended(old, nanos);
        }
    }
}
