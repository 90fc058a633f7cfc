package dev.postrider.relay;

import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.ClosedGate;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.PublishResult;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Settlement;
import dev.postrider.spi.TopicFilter;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.Writer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Everything a relay remembers between two steps: its shards, how far it has scanned, which topics are closed, and
 * every message in flight until it is settled. No method waits for the store or the broker. Thread-safe.
 */
final class RelayState {

    private static final int WORTH_IT = 4;
    private static final int SUSPECT_PREFETCHES = 4;

    private final RelayConfig config;
    private final TopicGates gates;
    private final JournalEntries journal = new JournalEntries();
    private final Lanes lanes;
    private final Scan scan;
    private final Ownership ownership = new Ownership();
    private final WaitingTimes waiting;
    private long handOverLow = Long.MAX_VALUE;
    private boolean claiming = true;

    // The journal entries that the turn under way may have made.
    private final Set<Long> fetches = new HashSet<>();

    /** What an answer did to the gate of its topic. */
    enum Gate {
        UNCHANGED,
        CLOSED,
        OPENED
    }

    RelayState(RelayConfig config) {
        this.config = config;
        this.gates = new TopicGates(config.random);
        this.lanes = new Lanes(config, gates, journal);
        this.scan = new Scan(config.batchSize, gates);
        this.waiting = new WaitingTimes(now());
    }

    /** Returns how much may be fetched, or null if the prefetch limit is reached or all but reached. */
    synchronized @Nullable ClaimSize room() {
        // Suspects go one by one: those of a few crashes must not keep other messages from being fetched.
        int suspects = Math.min(lanes.suspects(), SUSPECT_PREFETCHES * config.prefetchMessages);
        int messages = Math.min(config.batchSize, config.prefetchMessages - lanes.size() + suspects);
        long bytes = config.prefetchBytes - lanes.bytes();
        // A fetch costs about the same for a few messages as for many: it waits until it is worth it.
        return messages < Math.max(1, config.batchSize / WORTH_IT) || bytes < 1 ? null : new ClaimSize(messages, bytes);
    }

    /** Returns whether more answers are to be expected soon than there are to be written back now. */
    synchronized boolean isAwaitingAnswers() {
        int outcomes = lanes.outcomes();
        return outcomes > 0 && outcomes < config.batchSize / WORTH_IT && lanes.size() - outcomes > config.batchSize / 2;
    }

    /** Returns whether the store certainly takes this relay for alive. */
    synchronized boolean mayClaim() {
        return ownership.maySend(now());
    }

    /** Begins a turn and returns the next part of the main scan, or null if nothing may be fetched now. */
    synchronized Scan.@Nullable Part begin(ClaimSize room) {
        // A gate that opens or a shard that is gained is part of the request and of its range, or of neither.
        gates.openDue(now());
        if (!mayFetch()) {
            return null;
        }
        lanes.beginFetch();
        return scan.begin(room.messages(), ownership.claimable().size());
    }

    /** Returns the next part of a topic that is catching up, or null. */
    synchronized Scan.@Nullable Part catchUp(ClaimSize room) {
        if (!mayFetch() || !scan.isCatchingUp()) {
            return null;
        }
        // Nothing was read yet in this turn: what was put back since it began may be fetched again.
        lanes.beginFetch();
        return scan.catchUp(room.messages(), lanes.topics());
    }

    /** Returns the next step of the audit if one is due. */
    synchronized Optional<Scan.Part> audit() {
        return mayFetch() ? scan.audit(now(), ownership.claimable().size()) : Optional.empty();
    }

    /** Returns a part of the main scan that is read for late rows. */
    synchronized Scan.@Nullable Part late(SeqRange range) {
        return mayFetch()
                ? scan.main(range, config.batchSize, ownership.claimable().size())
                : null;
    }

    /** Returns a request for a part but for the rows that are {@code known}, or null if nothing may be fetched now. */
    synchronized @Nullable FetchRequest request(Scan.Part part, ClaimSize size, Set<Long> known) {
        Set<Long> inFlight = lanes.seqsIn(part.range());
        inFlight.addAll(known);
        return request(part.topics(), size, inFlight);
    }

    /** Begins a fetch of what is due, and returns its request, or null if nothing may be fetched now. */
    synchronized @Nullable FetchRequest beginDue(ClaimSize size) {
        if (!mayFetch() || !waiting.isDue(now())) {
            return null;
        }
        lanes.beginFetch();
        return request(scan.reachableTopics(), size, lanes.dueSeqs());
    }

    private @Nullable FetchRequest request(TopicFilter topics, ClaimSize size, Set<Long> inFlight) {
        if (!mayFetch()) {
            return null;
        }
        long token = config.random.nextLong();
        return new FetchRequest(config.relay, ownership.epochs(), topics, size, inFlight, token, journal.ended());
    }

    private boolean mayFetch() {
        return claiming && ownership.maySend(now()) && !ownership.claimable().isEmpty();
    }

    /** The store has answered a request, with so many rows. */
    synchronized void answered(FetchRequest request, int rows) {
        journal.removed(request.ended());
        if (rows > 0) {
            fetches.add(request.token());
        }
    }

    /** The store has not answered a request: its journal entry may be there. */
    synchronized void unanswered(FetchRequest request) {
        fetches.add(request.token());
    }

    /** The turn is over: an entry of the journal without a message in flight can go. */
    synchronized void endFetch() {
        fetches.forEach(journal::fetched);
        fetches.clear();
    }

    /** Takes note of what a page shows. */
    synchronized void saw(Scan.Part part, FetchedPage page) {
        scan.saw(part, page, now());
    }

    synchronized void audited(Scan.Part part, FetchedPage page) {
        scan.audited(part, page, now());
    }

    /** Returns whether rows may still appear below the head. */
    synchronized boolean hasHoles() {
        return scan.hasHoles();
    }

    /** Returns what has to be scanned again, now that the writers were read after the scan of everything up to here. */
    synchronized List<SeqRange> review(Set<Writer> writers, long scannedTo) {
        return scan.review(writers, scannedTo);
    }

    /** What was returned by the last review has been scanned again. */
    synchronized void reviewed() {
        scan.reviewed();
    }

    /** Returns the topics that are not closed. */
    synchronized TopicFilter reachableTopics() {
        return scan.reachableTopics();
    }

    /** Returns the holes up to here that may still be filled. */
    synchronized List<SeqRange> holes(long scannedTo) {
        return scan.holes(scannedTo, now());
    }

    /** Returns whether this row is in flight. */
    synchronized boolean isInFlight(long seq) {
        return lanes.knows(seq);
    }

    /** These ranges below the main scan are read now; their rows are missing until {@link #accept}. */
    synchronized void readLate(List<SeqRange> ranges) {
        scan.readLate(ranges);
    }

    /** What was read for late rows in this turn is read again by the next turns. */
    synchronized void readLateAgain() {
        scan.readLateAgain();
    }

    /**
     * Hands rows on, in the order of their sequences, and moves the scan of the part up to {@code upTo}. A row that is
     * not complete is read again, and with it every later one of its key: an earlier message may be missing. Returns
     * how many messages are in flight now that were not before.
     */
    synchronized int accept(Scan.Part part, long upTo, List<FetchedRow> rows, Predicate<FetchedRow> complete) {
        // Rows that were put back meanwhile lie below and go first.
        long limit = scan.wentBackTo(part);
        long reached = Math.min(upTo, limit);
        if (reached > part.range().after()) {
            scan.advance(part, reached);
        }
        if (part.topic() == null) {
            scan.acceptedLate();
        }
        // Late rows may lie above a range that is still to be read again.
        limit = Math.min(limit, scan.readTo(part));
        Set<Lane.Key> stopped = new HashSet<>();
        int accepted = 0;
        for (FetchedRow row : inOrder(rows)) {
            ClaimedMessage claimed = row.claimed();
            if (lanes.knows(row.seq()) || !isOurs(claimed) || lanes.leavesOut(claimed)) {
                continue;
            }
            boolean keyed = config.inLane(claimed);
            boolean ready = claiming
                    && row.seq() <= limit
                    && complete.test(row)
                    && !isClosed(claimed)
                    && !lanes.mustWait(claimed)
                    && !(keyed && stopped.contains(Lane.Key.of(claimed)));
            if (ready) {
                lanes.add(row, false);
                accepted++;
            } else {
                scan.putBack(claimed);
                if (keyed) {
                    stopped.add(Lane.Key.of(claimed));
                }
            }
        }
        tell(accepted);
        return accepted;
    }

    private static List<FetchedRow> inOrder(List<FetchedRow> rows) {
        List<FetchedRow> sorted = new ArrayList<>(rows);
        sorted.sort(Comparator.comparingLong(FetchedRow::seq));
        return sorted;
    }

    /** Hands rows on whose time has come; returns how many messages are in flight now that were not before. */
    synchronized int acceptDue(List<FetchedRow> rows, boolean more) {
        int accepted = 0;
        for (FetchedRow row : rows) {
            ClaimedMessage claimed = row.claimed();
            // A row that is left out is found by the next look, so nothing has to be remembered.
            boolean early = config.inLane(claimed) && scan.isAhead(claimed);
            boolean known = lanes.knows(row.seq()) || lanes.leavesOut(claimed);
            boolean mayGo = isOurs(claimed) && !isClosed(claimed) && !lanes.mustWait(claimed);
            if (claiming && !known && mayGo && !early) {
                lanes.add(row, true);
                accepted++;
            }
        }
        tell(accepted);
        waiting.looked(now(), accepted > 0, more);
        return accepted;
    }

    private void tell(int accepted) {
        if (accepted > 0) {
            config.listener.claimed(accepted);
        }
    }

    private boolean isOurs(ClaimedMessage claimed) {
        return ownership.isClaimable(claimed.shard(), claimed.epoch());
    }

    private boolean isClosed(ClaimedMessage claimed) {
        return !gates.allOpen() && gates.isClosed(TopicName.of(claimed.message()));
    }

    private void putBack(List<Flight> flights) {
        // The next fetch of due rows finds a row with a due time.
        flights.stream().filter(flight -> !flight.waited).forEach(flight -> scan.putBack(flight.claimed));
    }

    /** Returns how long until the next retry this relay knows of is due; zero if it is overdue. */
    synchronized long nanosToNextRetry() {
        return waiting.nanosToNextRetry(now());
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
            scan.closed(topic);
            putBack(lanes.putBack(flight));
            putBack(lanes.release(other -> TopicName.of(other.message()).equals(topic)));
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

    /** Puts one message back that was taken but not sent. */
    synchronized void giveBack(ClaimedMessage claimed) {
        Flight flight = lanes.sent(claimed);
        if (flight != null) {
            putBack(lanes.putBack(flight));
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
            switch (settlement.outcome()) {
                case RELEASED -> scan.putBack(settlement.claimed());
                case RETRY -> waiting.remember(now() + settlement.delay().toNanos());
                case DELIVERED -> {
                    if (settlement.claimed().held()) {
                        waiting.lookNow(now());
                    }
                }
                case DEAD, BEHIND -> {}
            }
        }
        boolean goesOn = lanes.settled(outcomes);
        lanes.takeMissed().forEach(scan::again);
        return goesOn;
    }

    /**
     * The store did not write some of these outcomes: they were written before, the shard has another owner, or the row
     * was changed. Their rows are read again before anything behind them.
     */
    synchronized void lost(List<Settlement> outcomes) {
        for (Settlement settlement : outcomes) {
            // No scan reads a row with a due time, and such rows may lie far apart.
            if (lanes.waited(settlement.claimed())) {
                waiting.lookNow(now());
            } else {
                scan.putBack(settlement.claimed());
            }
        }
    }

    /** Takes note that the store does not take these outcomes for now; returns whether that lets more be sent. */
    synchronized boolean refused(List<Settlement> outcomes) {
        return lanes.refused(outcomes);
    }

    /** The store is about to be asked what this relay owns. */
    synchronized void renewing(long sendUntilNanos) {
        ownership.renewing(sendUntilNanos);
    }

    /** The store said what this relay owns; returns what it lost. */
    synchronized Set<Integer> renewed(List<OwnedShard> owned, long sendUntilNanos) {
        Set<Integer> lost = ownership.renewed(owned, sendUntilNanos);
        lanes.drop(lost);
        forgetHandOver();
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
        putBack(lanes.release(claimed -> shards.contains(claimed.shard())));
    }

    /**
     * Returns the shards to be handed over in which no outcome is to come any more. Outcomes that the store does not
     * take are left behind: their messages are delivered again by the next owner.
     */
    synchronized List<OwnedShard> handedOver() {
        Set<Integer> idle = new HashSet<>(ownership.handingOver());
        idle.removeAll(lanes.busyShards());
        return ownership.owned(idle);
    }

    synchronized void gone(Set<Integer> shards) {
        ownership.remove(shards);
        forgetHandOver();
    }

    private void forgetHandOver() {
        if (ownership.handingOver().isEmpty()) {
            handOverLow = Long.MAX_VALUE;
        }
    }

    synchronized Set<Integer> shards() {
        return ownership.shards();
    }

    /** Returns where a scan may begin that must not miss anything this relay is responsible for. */
    synchronized long lowWater() {
        long unsettled = lanes.lowestSeq();
        long low = Math.min(scan.lowWater(), handOverLow);
        return Math.min(low, unsettled == Long.MAX_VALUE ? low : unsettled - 1);
    }

    /** Stops claiming and gives back what was not sent; what is at the broker comes to its end. */
    synchronized void stopClaiming() {
        claiming = false;
        putBack(lanes.release(claimed -> true));
    }

    synchronized void startClaiming() {
        claiming = true;
    }

    synchronized void pause(TopicName topic) {
        gates.pause(topic, now());
        scan.closed(topic);
        putBack(lanes.release(claimed -> TopicName.of(claimed.message()).equals(topic)));
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
