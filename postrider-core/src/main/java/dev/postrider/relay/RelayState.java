package dev.postrider.relay;

import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ClosedGate;
import dev.postrider.spi.Outlook;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Everything a relay remembers between two steps: its shards, how far it has scanned, which topics are closed, and
 * every claimed message until it is settled. No method waits for the store or the broker. Thread-safe.
 */
final class RelayState {

    private static final int WORTH_IT = 4;

    private final RelayConfig config;
    private final TopicGates gates;
    private final Lanes lanes;
    private final Scan scan;
    private final Ownership ownership = new Ownership();
    private final WaitingTimes waiting;
    private final Recovered recovered = new Recovered();
    private long handOverLow = Long.MAX_VALUE;

    // Claimed, but not handed on yet: the gaps have to be looked into first.
    private final List<ClaimedMessage> collected = new ArrayList<>();
    private boolean claiming = true;

    /** What an answer did to the gate of its topic. */
    enum Gate {
        UNCHANGED,
        CLOSED,
        OPENED
    }

    RelayState(RelayConfig config) {
        this.config = config;
        this.gates = new TopicGates(config.random);
        this.lanes = new Lanes(config, gates);
        this.scan = new Scan(config.batchSize, gates);
        this.waiting = new WaitingTimes(now());
    }

    /** Returns how much may be claimed, or null if the prefetch limit is reached or all but reached. */
    synchronized @Nullable ClaimSize room() {
        int messages = Math.min(config.batchSize, config.prefetchMessages - lanes.size());
        long bytes = config.prefetchBytes - lanes.bytes();
        // A claim costs about the same for a few messages as for many: it waits until it is worth it.
        return messages < Math.max(1, config.batchSize / WORTH_IT) || bytes < 1 ? null : new ClaimSize(messages, bytes);
    }

    /** Returns whether more answers are to be expected soon than there are to be written back now. */
    synchronized boolean isAwaitingAnswers() {
        int outcomes = lanes.outcomes();
        return outcomes > 0 && outcomes < config.batchSize / WORTH_IT && lanes.size() - outcomes > config.batchSize / 2;
    }

    /** Returns what to do next, or null if nothing may be claimed now. */
    synchronized Scan.@Nullable Plan plan(ClaimSize room) {
        // A gate that opens or a shard that is gained is part of the request and of its range, or of neither.
        scan.openDue(now());
        ClaimRequest request = request(room);
        return request == null ? null : scan.plan(request, now());
    }

    /** Returns whether the last sweep step found more than one claim takes. */
    synchronized boolean hasMoreToSweep() {
        return scan.hasMoreToSweep();
    }

    /** Returns the gaps a scan has left behind; what is above the head will be passed again. */
    synchronized List<SeqRange> gaps() {
        return scan.gaps();
    }

    /** Returns a request for what has appeared in gaps, or null if nothing may be claimed now. */
    synchronized @Nullable ClaimRequest gapRequest() {
        return request(new ClaimSize(config.batchSize, config.prefetchBytes));
    }

    /** Returns whether rows may still appear below the head. */
    synchronized boolean hasHoles() {
        return scan.hasHoles();
    }

    synchronized void writersUnknown() {
        scan.writersUnknown();
    }

    /** Takes the writers as they were read after the last scan; returns what has to be scanned again. */
    synchronized List<SeqRange> review(Set<Writer> writers) {
        return scan.review(writers);
    }

    /** What was returned by the last review has been scanned again. */
    synchronized void reviewed() {
        scan.reviewed();
    }

    synchronized long lowestGap() {
        return scan.lowestGap();
    }

    /** Returns whether the store certainly takes this relay for alive. */
    synchronized boolean mayClaim() {
        return ownership.maySend(now());
    }

    /** Returns how far the head went back since the scan began, or {@link Long#MAX_VALUE} if it did not. */
    synchronized long wentBackTo() {
        return scan.wentBackTo();
    }

    /** Returns a request for that much, or null if nothing may be claimed now. */
    synchronized @Nullable ClaimRequest request(ClaimSize room) {
        Set<Integer> shards = ownership.claimable();
        if (!claiming || !ownership.maySend(now()) || shards.isEmpty()) {
            return null;
        }
        return new ClaimRequest(config.relay, shards, gates.closed(), room, config.claimFor, config.random.nextLong());
    }

    /** Takes note of what could be seen; returns the rows that have appeared in gaps. */
    synchronized List<Long> looked(Outlook outlook) {
        return scan.looked(outlook, now());
    }

    /** Takes note of what a claim found. */
    synchronized void claimed(Claim claim, ClaimedBatch batch) {
        collected.addAll(batch.messages());
        scan.claimed(claim, batch, now());
    }

    /**
     * Takes messages in the order of their sequences; those that are not complete go back, an earlier one of their key
     * may be missing.
     */
    synchronized void accept(List<ClaimedMessage> messages, Predicate<ClaimedMessage> complete) {
        collected.clear();
        List<ClaimedMessage> inOrder = new ArrayList<>(messages);
        inOrder.sort(Comparator.comparingLong(ClaimedMessage::seq));
        accept(inOrder, false);
        Set<Flight.Id> early =
                inOrder.stream().filter(complete.negate()).map(Flight.Id::of).collect(Collectors.toSet());
        if (!early.isEmpty()) {
            lanes.release(claimed -> early.contains(Flight.Id.of(claimed)));
        }
    }

    /** Returns whether it is time to look for messages that were waiting. */
    synchronized boolean waitingDue() {
        return waiting.isDue(now());
    }

    synchronized void dueClaimed(List<ClaimedMessage> messages) {
        accept(messages, true);
        // Above a head that went back, earlier messages of the key may not have been claimed again yet.
        Set<Flight.Id> early = messages.stream()
                .filter(claimed -> config.inLane(claimed) && scan.isAhead(claimed))
                .map(Flight.Id::of)
                .collect(Collectors.toSet());
        if (!early.isEmpty()) {
            lanes.release(claimed -> early.contains(Flight.Id.of(claimed)));
        }
        waiting.looked(now(), messages.size() > early.size());
    }

    /** Returns how long until the next retry this relay knows of is due; zero if it is overdue. */
    synchronized long nanosToNextRetry() {
        return waiting.nanosToNextRetry(now());
    }

    private void accept(List<ClaimedMessage> messages, boolean waited) {
        if (messages.isEmpty()) {
            return;
        }
        long nanos = now();
        messages.forEach(claimed -> lanes.add(claimed, nanos, waited));
        // What was decided while the claim was under way holds for its result too.
        Set<Integer> shards = ownership.claimable();
        Predicate<ClaimedMessage> unwanted =
                claimed -> !claiming || !shards.contains(claimed.shard()) || isClosed(claimed);
        if (messages.stream().anyMatch(unwanted)) {
            lanes.release(unwanted);
        }
        config.listener.claimed(messages.size());
        int lost = recovered.among(messages);
        if (lost > 0) {
            config.listener.claimsRecovered(lost);
        }
    }

    private boolean isClosed(ClaimedMessage claimed) {
        return !gates.allOpen() && gates.isClosed(TopicName.of(claimed.message()));
    }

    /** Takes what may be sent now; nothing if the ownership is about to end. */
    synchronized List<ClaimedMessage> takeReady() {
        long nanos = now();
        return ownership.maySend(nanos) ? lanes.takeReady(nanos) : List.of();
    }

    /** Ends the flight of a message as the broker said, or returns null if it was ended before. */
    synchronized @Nullable Gate answered(ClaimedMessage claimed, PublishResult result) {
        Flight flight = lanes.sent(claimed);
        if (flight == null) {
            return null;
        }
        TopicName topic = TopicName.of(claimed.message());
        if (result.kind() == PublishResult.Kind.UNAVAILABLE) {
            boolean closed = gates.close(topic, now(), result.retryAfter(), String.valueOf(result.error()));
            if (closed) {
                scan.closed(topic);
            }
            lanes.end(flight, Settlement.released(claimed));
            lanes.release(other -> TopicName.of(other.message()).equals(topic));
            return closed ? Gate.CLOSED : Gate.UNCHANGED;
        }
        boolean opened = gates.answered(topic);
        lanes.end(flight, Verdict.of(claimed, result, config).withTook(flight.took(now())));
        return opened ? Gate.OPENED : Gate.UNCHANGED;
    }

    /** Ends a message that was taken but must not be sent: it is dead, and nothing is said about the broker. */
    synchronized void refuse(ClaimedMessage claimed, String why) {
        Flight flight = lanes.sent(claimed);
        if (flight != null) {
            lanes.end(flight, Settlement.dead(claimed, why, config.blocksKey(claimed)));
        }
    }

    /** Gives one message back that was taken but not sent. */
    synchronized void giveBack(ClaimedMessage claimed) {
        Flight flight = lanes.sent(claimed);
        if (flight != null) {
            lanes.end(flight, Settlement.released(claimed));
        }
    }

    /** Takes outcomes to write; a message whose answer is overdue has failed. */
    synchronized List<Settlement> takeOutcomes(int limit) {
        long nanos = now();
        for (Flight flight : lanes.overdue(nanos)) {
            PublishResult late = PublishResult.failed("No answer within " + config.publishTimeout);
            lanes.end(flight, Verdict.of(flight.claimed, late, config).withTook(flight.took(nanos)));
        }
        return lanes.takeOutcomes(limit);
    }

    /** Takes note that the store knows these outcomes; returns whether that lets more be sent. */
    synchronized boolean settled(List<Settlement> outcomes) {
        for (Settlement settlement : outcomes) {
            recovered.settled(settlement);
            switch (settlement.outcome()) {
                case RELEASED -> {
                    // The next look for due rows finds a row with a due time; a rewind would only hold up the others.
                    if (!lanes.waited(settlement.claimed())) {
                        scan.released(settlement.claimed());
                    }
                }
                case RETRY -> waiting.remember(now() + settlement.delay().toNanos());
                case DELIVERED -> {
                    if (settlement.claimed().held()) {
                        waiting.lookNow(now());
                    }
                }
                case DEAD, BEHIND -> {}
            }
        }
        return lanes.settled(outcomes);
    }

    /**
     * The store did not know some of these claims: a server that crashed may have forgotten them, and then their rows
     * are PENDING below the head. They are scanned again before anything behind them.
     */
    synchronized void lost(List<Settlement> outcomes) {
        outcomes.stream()
                .map(Settlement::claimed)
                .min(Comparator.comparingLong(ClaimedMessage::seq))
                .ifPresent(first -> scan.rewind(first.seq() - 1));
    }

    /** Takes note that the store refuses to record these as dead; returns whether that lets more be sent. */
    synchronized boolean refused(List<Settlement> dead) {
        return lanes.refused(dead);
    }

    /** The store said what this relay owns; returns what it lost. */
    synchronized Set<Integer> renewed(List<OwnedShard> owned, long sendUntilNanos) {
        Set<Integer> lost = ownership.renewed(owned, sendUntilNanos);
        lanes.drop(lost);
        return lost;
    }

    /** Returns shards the store says are ours although we do not know how we got them. */
    synchronized List<OwnedShard> unknown(List<OwnedShard> owned) {
        return owned.stream().filter(shard -> !ownership.owns(shard.shard())).toList();
    }

    /** More shards are ours: look at their rows from where the last owner was. */
    synchronized void gained(List<OwnedShard> shards) {
        ownership.add(shards);
        scan.gained(shards);
        waiting.lookNow(now());
    }

    /** Stops claiming in these shards and gives back what was not sent. */
    synchronized void handOver(Set<Integer> shards) {
        // What appears in a gap from now on is for the next owner to find.
        handOverLow = Math.min(handOverLow, lowWater());
        ownership.handOver(shards);
        lanes.release(claimed -> shards.contains(claimed.shard()));
    }

    /** Returns the shards to be handed over in which nothing is unsettled any more. */
    synchronized List<OwnedShard> handedOver() {
        Set<Integer> idle = new HashSet<>(ownership.handingOver());
        idle.removeAll(lanes.busyShards());
        collected.forEach(claimed -> idle.remove(claimed.shard()));
        return ownership.owned(idle);
    }

    synchronized void gone(Set<Integer> shards) {
        ownership.remove(shards);
        if (ownership.handingOver().isEmpty()) {
            handOverLow = Long.MAX_VALUE;
        }
    }

    synchronized Set<Integer> shards() {
        return ownership.shards();
    }

    /** Returns where a scan may begin that must not miss anything this relay is responsible for. */
    synchronized long lowWater() {
        long unsettled = collected.stream().mapToLong(ClaimedMessage::seq).reduce(lanes.lowestSeq(), Math::min);
        long low = Math.min(scan.lowWater(), handOverLow);
        return Math.min(low, unsettled == Long.MAX_VALUE ? low : unsettled - 1);
    }

    /** Returns the unsettled claims older than {@code age}. */
    synchronized List<Flight> claimsOlderThan(Duration age) {
        return lanes.claimedBefore(now() - age.toNanos());
    }

    synchronized void extended(List<Flight> flights, long nanos) {
        flights.forEach(flight -> flight.claimedNanos = nanos);
    }

    /** Stops claiming and gives back what was not sent; what is at the broker comes to its end. */
    synchronized void stopClaiming() {
        claiming = false;
        lanes.release(claimed -> true);
    }

    synchronized void startClaiming() {
        claiming = true;
    }

    synchronized void pause(TopicName topic) {
        gates.pause(topic, now());
        scan.paused(topic);
        lanes.release(claimed -> TopicName.of(claimed.message()).equals(topic));
    }

    synchronized void resume(TopicName topic) {
        gates.resume(topic);
    }

    /** Returns the topics that cannot be reached. */
    synchronized List<TopicName> unreachable() {
        return gates.unreachable(now());
    }

    /** Returns up to so many of the same topics, with what is known of them. */
    synchronized List<ClosedGate> closedGates(int most) {
        return gates.closedGates(now(), most);
    }

    synchronized boolean isIdle() {
        return lanes.isEmpty();
    }

    /** Returns whether there may be something to send. */
    synchronized boolean hasReady() {
        return lanes.hasReady();
    }

    synchronized boolean hasOutcomes() {
        return lanes.hasOutcomes();
    }

    synchronized int inFlight() {
        return lanes.size();
    }

    private long now() {
        return config.nanoTime.getAsLong();
    }
}
