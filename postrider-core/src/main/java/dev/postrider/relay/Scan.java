package dev.postrider.relay;

import dev.postrider.spi.ClaimRequest;
import dev.postrider.spi.ClaimedBatch;
import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.Outlook;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.Writer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a relay looks for rows to claim: above the head, below it where rows may still appear, and again wherever rows
 * came back or a topic was closed. Not thread-safe: guarded by {@link RelayState}.
 */
final class Scan {

    private static final int MOST_AHEAD = 50_000;
    private static final int MOST_STRETCH = 64;

    private final int batchSize;
    private final TopicGates gates;
    private final ScanCursor cursor = new ScanCursor();
    private final Frontier frontier = new Frontier();
    private final Gaps gaps = new Gaps();
    private int stretch = 1;

    // Whether the store has said that it cannot list its writers.
    private boolean writersUnknown;

    /** What to do next; a sweep now and then, a look above the head and into the gaps otherwise. */
    record Plan(
            ClaimRequest request,
            long after,
            int ahead,
            @Nullable SeqRange sweep) {}

    Scan(int batchSize, TopicGates gates) {
        this.batchSize = batchSize;
        this.gates = gates;
    }

    /** Half-opens every gate whose time has come and goes back to where its topic has to be looked at again. */
    void openDue(long nanos) {
        gates.openDue(nanos, cursor::rewindFor);
    }

    /** Begins the next part for a request. */
    Plan plan(ClaimRequest request, long nanos) {
        // Rows of all shards are looked at, so as many more as there are shards of others.
        int ahead = stretch
                * request.size().messages()
                * Shards.COUNT
                / request.shards().size();
        SeqRange sweep = cursor.sweep(nanos, request.shards().size()).orElse(null);
        return new Plan(request, cursor.begin(), Math.min(ahead, MOST_AHEAD), sweep);
    }

    boolean hasMoreToSweep() {
        return cursor.hasMoreToSweep();
    }

    /** Returns the gaps left behind; what is above the head will be passed again. */
    List<SeqRange> gaps() {
        return gaps.below(cursor.head());
    }

    long lowestGap() {
        return gaps.lowest();
    }

    /** Returns how far the head went back since the last plan, or {@link Long#MAX_VALUE} if it did not. */
    long wentBackTo() {
        return cursor.rewound();
    }

    /** Returns whether this message is to be passed again. */
    boolean isAhead(ClaimedMessage claimed) {
        return claimed.seq() > cursor.head();
    }

    /** Returns whether rows may still appear below the head. */
    boolean hasHoles() {
        return writersUnknown ? !gaps.isEmpty() : !frontier.isClear();
    }

    /** The store cannot list its writers: gaps are watched instead. */
    void writersUnknown() {
        writersUnknown = true;
    }

    /** Takes the writers as they were read after the last scan; returns what has to be scanned again. */
    List<SeqRange> review(Set<Writer> writers) {
        gaps.clear();
        return frontier.review(writers, cursor.head());
    }

    /** What was returned by the last review has been scanned again. */
    void reviewed() {
        frontier.reviewed();
    }

    /** Takes note of what could be seen; returns the rows that have appeared in gaps. */
    List<Long> looked(Outlook outlook, long nanos) {
        gaps.review(nanos);
        // A closed topic is not claimed from: its rows have to be found when it opens.
        outlook.appeared().forEach(seq -> gates.lookAgainFrom(seq - 1));
        return outlook.appeared();
    }

    /** Takes note of how far a claim came. */
    void claimed(Claim claim, ClaimedBatch batch, long nanos) {
        switch (claim.kind()) {
            case HEAD, UNSEEN -> {
                // Rows of a closed topic were passed; below the place it closed at, if the head had gone back.
                claim.request()
                        .closedTopics()
                        .forEach(topic ->
                                gates.lookAgainFrom(topic, claim.range().after()));
                passed(claim, batch, nanos);
                cursor.scanned(batch.scannedTo());
                stretch(claim, batch);
            }
            case GAP ->
                claim.seen().stream()
                        .filter(seq -> seq > claim.range().after() && seq <= batch.scannedTo())
                        .forEach(gaps::found);
            case LATE ->
                // A closed topic is not claimed from: its rows have to be found when it opens.
                claim.request()
                        .closedTopics()
                        .forEach(topic ->
                                gates.lookAgainFrom(topic, claim.range().after()));
            case SWEEP -> cursor.swept(claim.range(), batch, nanos);
            case REST -> {}
        }
    }

    private void passed(Claim claim, ClaimedBatch batch, long nanos) {
        long after = claim.range().after();
        long upTo = batch.scannedTo();
        if (writersUnknown) {
            gaps.passed(after, upTo, claim.seen(), nanos);
        } else {
            long seen = claim.seen().stream()
                    .filter(seq -> seq > after && seq <= upTo)
                    .count();
            frontier.passed(after, upTo, seen);
            // The first answer about the writers may still be that the store cannot list them.
            gaps.passed(after, upTo, claim.seen(), nanos);
        }
    }

    // Where most rows are settled, as after a restart or a rewind, larger steps are cheaper. Those in shards of others
    // say nothing about that.
    private void stretch(Claim claim, ClaimedBatch batch) {
        int seen = claim.seen().size();
        int own = seen * claim.request().shards().size() / Shards.COUNT;
        boolean sparse = !batch.full() && batch.messages().size() * 4 < own && seen >= batchSize;
        stretch = sparse ? Math.min(stretch * 4, MOST_STRETCH) : 1;
    }

    /** The topic cannot be reached: its rows above the head are for later, and nothing is caught up for it. */
    void closed(TopicName topic) {
        paused(topic);
        cursor.forward(topic);
    }

    /** The topic is closed by a person: its rows above the head are for later. */
    void paused(TopicName topic) {
        gates.lookAgainFrom(topic, cursor.head());
    }

    /** The row of this message can be claimed again. */
    void released(ClaimedMessage claimed) {
        TopicName topic = TopicName.of(claimed.message());
        if (gates.isClosed(topic)) {
            gates.lookAgainFrom(topic, claimed.seq() - 1);
        } else {
            cursor.rewind(claimed.seq() - 1);
        }
    }

    /** Everything above {@code seq} is looked at again, also for topics that are closed now. */
    void rewind(long seq) {
        cursor.rewind(seq);
        gates.lookAgainFrom(seq);
    }

    /** More shards are ours: their rows are looked at from where the last owner was. */
    void gained(List<OwnedShard> shards) {
        shards.forEach(shard -> {
            cursor.rewind(shard.lowWater());
            gates.lookAgainFrom(shard.lowWater());
        });
    }

    /** Returns where another scan may begin that must not miss anything this one has still to look at. */
    long lowWater() {
        long holes = writersUnknown ? gaps.lowest() : frontier.lowest();
        return Math.min(Math.min(cursor.head(), holes), gates.lowest());
    }
}
