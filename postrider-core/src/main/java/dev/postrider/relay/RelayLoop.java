package dev.postrider.relay;

import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.MessagePublisher;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a relay does, one step at a time: fetch claims messages, send hands them to the publisher, settle writes the
 * outcomes back. Each step returns without waiting for the broker, so threads drive it in production and a simulator
 * drives it in virtual time. Thread-safe; each step is meant for one thread.
 */
final class RelayLoop {

    private static final int SETTLE_BATCH = 1_000;
    private static final long WAITING_EVERY = Duration.ofMillis(100).toNanos();

    private final OutboxStore store;
    private final MessagePublisher publisher;
    private final RelayConfig config;
    private final RelayListener listener;
    private final Runnable progress;

    // A claim must not overlap the settlement of anything but plain deliveries: it would miss a key that is being
    // blocked, or put a message behind one that is just being delivered.
    private final ReentrantLock order = new ReentrantLock();

    private final Object lock = new Object();
    private final TopicGates gates;
    private final Lanes lanes;
    private final ScanCursor cursor = new ScanCursor();
    private final Ownership ownership = new Ownership();
    private volatile boolean claiming = true;
    private @Nullable PendingClaim pendingClaim;
    private @Nullable ClaimRequest pendingWaiting;
    private volatile List<Settlement> unwritten = List.of();
    private long nextWaiting;

    /** A claim whose outcome is unknown; it is repeated as it was until the store answers. */
    private record PendingClaim(ClaimRequest request, SeqRange range) {}

    /** What a fetch came to. */
    enum Fetched {
        /** Nothing to claim, or not allowed to. */
        NOTHING,
        /** Some messages. */
        SOME,
        /** As many as asked for: more is likely waiting. */
        FULL,
        /** The prefetch limit is reached; outcomes have to be settled first. */
        SATURATED
    }

    /** Calls {@code progress} whenever there may be something new to send or to settle. */
    RelayLoop(OutboxStore store, MessagePublisher publisher, RelayConfig config, Runnable progress) {
        this.store = store;
        this.publisher = publisher;
        this.config = config;
        this.progress = progress;
        this.nextWaiting = config.nanoTime.getAsLong();
        this.listener = config.listener;
        this.gates = new TopicGates(config.random);
        this.lanes = new Lanes(config, gates);
    }

    /** Claims what fits. */
    Fetched fetch() {
        order.lock();
        try {
            Fetched fetched = claim();
            return claimWaiting() ? Fetched.FULL : fetched;
        } finally {
            order.unlock();
        }
    }

    private Fetched claim() {
        PendingClaim claim = pendingClaim;
        if (claim == null) {
            synchronized (lock) {
                gates.openDue(config.nanoTime.getAsLong(), cursor::rewindFor);
                ClaimSize room = room();
                if (room == null) {
                    return Fetched.SATURATED;
                }
                if (!mayClaim()) {
                    return Fetched.NOTHING;
                }
                claim = new PendingClaim(request(room), cursor.next(config.nanoTime.getAsLong()));
            }
        }
        pendingClaim = claim;
        ClaimedBatch batch = store.claim(claim.request, claim.range);
        pendingClaim = null;
        synchronized (lock) {
            cursor.scanned(claim.range, batch, config.nanoTime.getAsLong());
            accept(batch.messages());
        }
        if (batch.full()) {
            return Fetched.FULL;
        }
        return batch.messages().isEmpty() ? Fetched.NOTHING : Fetched.SOME;
    }

    private boolean claimWaiting() {
        ClaimRequest request = pendingWaiting;
        if (request == null) {
            synchronized (lock) {
                long nanos = config.nanoTime.getAsLong();
                ClaimSize room = room();
                if (room == null || !mayClaim() || nanos - nextWaiting < 0) {
                    return false;
                }
                nextWaiting = nanos + WAITING_EVERY;
                request = request(room);
            }
        }
        pendingWaiting = request;
        List<ClaimedMessage> due = store.claimWaiting(request);
        pendingWaiting = null;
        synchronized (lock) {
            accept(due);
            if (!due.isEmpty()) {
                nextWaiting = config.nanoTime.getAsLong();
            }
        }
        return due.size() == request.size().messages();
    }

    /** Hands everything that is ready to the publisher, unless the ownership is about to end. */
    void send() {
        while (true) {
            List<ClaimedMessage> wave;
            synchronized (lock) {
                long nanos = config.nanoTime.getAsLong();
                if (!ownership.maySend(nanos)) {
                    return;
                }
                wave = lanes.takeReady(nanos + config.publishTimeout.toNanos());
            }
            if (wave.isEmpty()) {
                return;
            }
            publish(wave);
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
            synchronized (lock) {
                Flight flight = lanes.sent(suspect);
                if (flight != null) {
                    lanes.end(flight, Settlement.released(suspect));
                }
            }
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
        TopicName topic = TopicName.of(claimed.message());
        boolean closed = false;
        boolean opened = false;
        synchronized (lock) {
            Flight flight = lanes.sent(claimed);
            if (flight == null) {
                return false;
            }
            if (result.kind() == PublishResult.Kind.UNAVAILABLE) {
                closed = closeGate(topic);
                lanes.end(flight, Settlement.released(claimed));
                lanes.release(other -> TopicName.of(other.message()).equals(topic));
            } else {
                opened = gates.answered(topic);
                lanes.end(flight, outcome(claimed, result));
            }
        }
        if (closed) {
            listener.gateClosed(topic, String.valueOf(result.error()));
        }
        if (opened) {
            listener.gateOpened(topic);
        }
        progress.run();
        return true;
    }

    private boolean closeGate(TopicName topic) {
        boolean closed = gates.close(topic, config.nanoTime.getAsLong());
        if (closed) {
            gates.lookAgainFrom(topic, cursor.head());
            cursor.forward(topic);
        }
        return closed;
    }

    private Settlement outcome(ClaimedMessage claimed, PublishResult result) {
        String error = String.valueOf(result.error());
        boolean holdsKey = config.blocksKey(claimed);
        return switch (result.kind()) {
            case ACKED -> Settlement.delivered(claimed);
            case REJECTED -> Settlement.dead(claimed, error, holdsKey);
            case UNAVAILABLE -> Settlement.released(claimed);
            case FAILED -> {
                RetryPolicy retry = config.retry(claimed);
                int limit = claimed.message().maxAttempts().orElse(retry.maxAttempts());
                yield claimed.attempt() >= limit
                        ? Settlement.dead(claimed, error, holdsKey)
                        : Settlement.retry(
                                claimed, retry.delayAfter(claimed.attempt(), config.random), error, holdsKey);
            }
        };
    }

    /** Writes outcomes back and returns how many; what the store did not take is tried again with the next call. */
    int settle() {
        if (unwritten.isEmpty()) {
            synchronized (lock) {
                failOverdue();
                unwritten = lanes.takeOutcomes(SETTLE_BATCH);
            }
        }
        if (unwritten.isEmpty()) {
            return 0;
        }
        boolean plain = unwritten.stream()
                .allMatch(s -> s.outcome() == Settlement.Outcome.DELIVERED
                        && !s.claimed().held());
        if (!plain) {
            order.lock();
        }
        try {
            int written = store.settle(unwritten);
            settled(unwritten, written);
            int count = unwritten.size();
            unwritten = List.of();
            return count;
        } finally {
            if (!plain) {
                order.unlock();
            }
        }
    }

    private void settled(List<Settlement> outcomes, int written) {
        synchronized (lock) {
            lanes.settled(outcomes);
            for (Settlement settlement : outcomes) {
                switch (settlement.outcome()) {
                    case RELEASED -> lookAgainFrom(settlement.claimed());
                    case DELIVERED -> {
                        if (settlement.claimed().held()) {
                            nextWaiting = config.nanoTime.getAsLong();
                        }
                    }
                    case RETRY, DEAD, BEHIND -> {}
                }
            }
        }
        listener.settled(outcomes);
        if (written < outcomes.size()) {
            listener.claimsLost(outcomes.size() - written);
        }
    }

    private void lookAgainFrom(ClaimedMessage claimed) {
        TopicName topic = TopicName.of(claimed.message());
        if (gates.isClosed(topic)) {
            gates.lookAgainFrom(topic, claimed.seq() - 1);
        } else {
            cursor.rewind(claimed.seq() - 1);
        }
    }

    private void failOverdue() {
        for (Flight flight : lanes.overdue(config.nanoTime.getAsLong())) {
            PublishResult late = PublishResult.failed("No answer within " + config.publishTimeout);
            lanes.end(flight, outcome(flight.claimed, late));
        }
    }

    /** Lets claims that take long end later. */
    void extendClaims() {
        long nanos = config.nanoTime.getAsLong();
        List<Flight> old;
        synchronized (lock) {
            old = lanes.claimedBefore(nanos - config.claimFor.toNanos() / 3);
        }
        if (old.isEmpty()) {
            return;
        }
        store.extend(old.stream().map(flight -> flight.claimed).toList(), config.claimFor);
        synchronized (lock) {
            old.forEach(flight -> flight.claimedNanos = nanos);
        }
    }

    /** Returns shards the store says are ours although we do not know how we got them. */
    List<OwnedShard> unknown(List<OwnedShard> owned) {
        synchronized (lock) {
            return owned.stream()
                    .filter(shard -> !ownership.owns(shard.shard()))
                    .toList();
        }
    }

    /** The store said what this relay owns; returns what it lost. */
    Set<Integer> renewed(List<OwnedShard> owned, long sendUntilNanos) {
        synchronized (lock) {
            Set<Integer> lost = ownership.renewed(owned, sendUntilNanos);
            lanes.drop(lost);
            return lost;
        }
    }

    /** More shards are ours: look at their rows from where the last owner was. */
    void gained(List<OwnedShard> shards) {
        synchronized (lock) {
            ownership.add(shards);
            shards.forEach(shard -> cursor.rewind(shard.lowWater()));
            nextWaiting = config.nanoTime.getAsLong();
        }
    }

    /** Stops claiming in these shards and gives back what was not sent. */
    void handOver(Set<Integer> shards) {
        synchronized (lock) {
            ownership.handOver(shards);
            lanes.release(claimed -> shards.contains(claimed.shard()));
        }
    }

    /** Returns the shards to be handed over in which nothing is unsettled any more. */
    List<OwnedShard> handedOver() {
        synchronized (lock) {
            Set<Integer> idle = new HashSet<>(ownership.handingOver());
            idle.removeAll(lanes.busyShards());
            return ownership.owned(idle);
        }
    }

    void gone(Set<Integer> shards) {
        synchronized (lock) {
            ownership.remove(shards);
        }
    }

    /** Stops claiming and gives back what was not sent; what is at the broker comes to its end. */
    void stopClaiming() {
        claiming = false;
        synchronized (lock) {
            lanes.release(claimed -> true);
        }
    }

    void startClaiming() {
        claiming = true;
    }

    void pause(TopicName topic) {
        synchronized (lock) {
            gates.pause(topic, config.nanoTime.getAsLong());
            gates.lookAgainFrom(topic, cursor.head());
            lanes.release(claimed -> TopicName.of(claimed.message()).equals(topic));
        }
    }

    void resume(TopicName topic) {
        synchronized (lock) {
            gates.resume(topic);
        }
    }

    /** Returns where a scan may begin that must not miss anything this relay is responsible for. */
    long lowWater() {
        synchronized (lock) {
            long unsettled = lanes.lowestSeq();
            long low = Math.min(cursor.lowWater(), gates.lowest());
            return Math.min(low, unsettled == Long.MAX_VALUE ? low : unsettled - 1);
        }
    }

    boolean isIdle() {
        synchronized (lock) {
            return lanes.isEmpty() && unwritten.isEmpty();
        }
    }

    boolean hasReady() {
        synchronized (lock) {
            return lanes.hasReady();
        }
    }

    boolean hasOutcomes() {
        synchronized (lock) {
            return lanes.hasOutcomes();
        }
    }

    int inFlight() {
        synchronized (lock) {
            return lanes.size();
        }
    }

    Set<Integer> shards() {
        synchronized (lock) {
            return ownership.shards();
        }
    }

    private boolean mayClaim() {
        return claiming
                && ownership.maySend(config.nanoTime.getAsLong())
                && !ownership.claimable().isEmpty();
    }

    private @Nullable ClaimSize room() {
        int messages = Math.min(config.batchSize, config.prefetchMessages - lanes.size());
        long bytes = config.prefetchBytes - lanes.bytes();
        return messages < 1 || bytes < 1 ? null : new ClaimSize(messages, bytes);
    }

    private ClaimRequest request(ClaimSize room) {
        return new ClaimRequest(
                config.relay, ownership.claimable(), gates.closed(), room, config.claimFor, config.random.nextLong());
    }

    private void accept(List<ClaimedMessage> messages) {
        if (messages.isEmpty()) {
            return;
        }
        long nanos = config.nanoTime.getAsLong();
        messages.forEach(claimed -> lanes.add(claimed, nanos));
        // What was decided while the claim was under way holds for its result too.
        Set<Integer> claimable = ownership.claimable();
        Predicate<ClaimedMessage> unwanted = claimed ->
                !claiming || !claimable.contains(claimed.shard()) || gates.isClosed(TopicName.of(claimed.message()));
        if (messages.stream().anyMatch(unwanted)) {
            lanes.release(unwanted);
        }
        listener.claimed(messages.size());
        progress.run();
    }
}
