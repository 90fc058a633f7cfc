package dev.postrider.relay;

import dev.postrider.spi.ClaimedMessage;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.OwnedShard;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Shards;
import dev.postrider.spi.TopicFilter;
import dev.postrider.spi.TopicName;
import dev.postrider.spi.Writer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which part of the table a relay reads next. The main scan reads the ranges that are still to be scanned, the lowest
 * first. A topic that was closed has a cursor of its own and is left out of the main scan until its cursor has caught
 * up, so that its backlog delays no other topic. Below both, an audit looks for rows that no scan has seen. Not
 * thread-safe: guarded by {@link RelayState}.
 */
final class Scan {

    private static final int MOST_ROWS = 50_000;
    private static final int MOST_STRETCH = 64;

    private final int batchSize;
    private final TopicGates gates;
    private final ScanRanges ranges = new ScanRanges();
    private final Map<TopicName, Long> cursors = new LinkedHashMap<>();
    private final Frontier frontier = new Frontier();
    private final Audit audit = new Audit();
    private final List<SeqRange> late = new ArrayList<>();
    private int stretch = 1;

    // How far rows were put back since the last turn began: rows above must not be handed on before them.
    private long wentBackTo = Long.MAX_VALUE;

    // The same of single topics, since the last part of one that catches up was begun. A row in flight may lie above
    // the cursor, so the cursor alone does not tell that it was put back.
    private final Map<TopicName, Long> loweredTo = new HashMap<>();

    /**
     * A part of the table to be read at once.
     *
     * @param messages at most so many messages are fetched
     * @param topic the topic whose cursor this part follows; null for the main scan
     */
    record Part(
            SeqRange range,
            TopicFilter topics,
            int rows,
            int messages,
            @Nullable TopicName topic) {

        /** Returns up to where the part is read once this page was. */
        long readTo(FetchedPage page) {
            return page.full() || range.upTo() == Long.MAX_VALUE ? page.scannedTo() : range.upTo();
        }
    }

    Scan(int batchSize, TopicGates gates) {
        this.batchSize = batchSize;
        this.gates = gates;
    }

    /** Begins a turn and returns the next part of the main scan, for so many messages of so many shards. */
    Part begin(int messages, int shards) {
        // The last turn may have failed before it handed late rows on.
        readLateAgain();
        wentBackTo = Long.MAX_VALUE;
        // The main scan reads a topic again once it has caught up, unless it has still to be tried.
        cursors.entrySet()
                .removeIf(each -> each.getValue() >= ranges.head()
                        && !gates.isClosed(each.getKey())
                        && !gates.isHalfOpen(each.getKey()));
        return main(ranges.next(), messages, shards);
    }

    /** Returns a part of the main scan that lies below its head. */
    Part main(SeqRange range, int messages, int shards) {
        // Rows of all shards are looked at, so as many more as there are shards of other relays.
        long rows = (long) stretch * messages * Shards.COUNT / shards;
        return new Part(range, openTopics(), (int) Math.min(rows, MOST_ROWS), messages, null);
    }

    /**
     * Returns the next part of a topic that is catching up, the topics in turn; null if there is none. While the gate
     * of a topic is half open, one message at a time is fetched: {@code busy} are the topics with one in flight.
     */
    @Nullable Part catchUp(int messages, Set<TopicName> busy) {
        for (TopicName topic : List.copyOf(cursors.keySet())) {
            boolean probing = gates.isHalfOpen(topic);
            if (gates.isClosed(topic) || (probing && busy.contains(topic))) {
                continue;
            }
            long cursor = Objects.requireNonNull(cursors.get(topic));
            if (cursor < ranges.head()) {
                // Another topic is next.
                cursors.remove(topic);
                cursors.put(topic, cursor);
                loweredTo.clear();
                SeqRange range = new SeqRange(cursor, ranges.head());
                return new Part(range, TopicFilter.only(topic), MOST_ROWS, probing ? 1 : messages, topic);
            }
        }
        return null;
    }

    /** Returns whether a topic is closed or has still to catch up. */
    boolean isCatchingUp() {
        return !cursors.isEmpty();
    }

    /** Returns the topics that the main scan reads. */
    TopicFilter openTopics() {
        return TopicFilter.allBut(cursors.keySet());
    }

    /** Returns the topics that are not closed. */
    TopicFilter reachableTopics() {
        return TopicFilter.allBut(
                cursors.keySet().stream().filter(gates::isClosed).collect(Collectors.toSet()));
    }

    /** Returns the next step of the audit if one is due. */
    Optional<Part> audit(long nanos, int shards) {
        return ranges.head() == Long.MAX_VALUE
                ? Optional.empty()
                : audit.step(nanos, shards, lowest())
                        .map(step -> new Part(step, openTopics(), MOST_ROWS, MOST_ROWS, null));
    }

    /** Takes note of what the audit found: those rows are scanned next. */
    void audited(Part part, FetchedPage page, long nanos) {
        audit.stepped(part.readTo(page), nanos);
        page.rows().forEach(row -> again(row.seq()));
    }

    /** Takes note of what a page shows; {@link #advance} says that its rows were handed on. */
    void saw(Part part, FetchedPage page, long nanos) {
        long after = part.range().after();
        long upTo = part.readTo(page);
        if (part.topic() != null || upTo <= after) {
            return;
        }
        // Rows of topics that were left out are read when their cursors come by.
        part.topics().names().forEach(topic -> lower(topic, after));
        List<SeqRange> holes = new ArrayList<>(page.holes());
        if (upTo > page.scannedTo()) {
            holes.add(new SeqRange(page.scannedTo(), upTo));
        }
        frontier.passed(new SeqRange(after, upTo), holes, nanos);
        stretch(page);
    }

    // Where most rows are settled, as after a restart, larger steps are cheaper.
    private void stretch(FetchedPage page) {
        boolean sparse = page.full() && page.rows().size() * 4 < batchSize && page.seen() >= batchSize;
        stretch = sparse ? Math.min(stretch * 4, MOST_STRETCH) : 1;
    }

    /** Every row of the part up to here was handed on or put back. */
    void advance(Part part, long upTo) {
        if (part.topic() == null) {
            ranges.scanned(part.range(), upTo);
        } else if (upTo > part.range().after()) {
            // A cursor that was lowered meanwhile stays where it is.
            cursors.replace(part.topic(), part.range().after(), upTo);
        }
    }

    /** Returns whether rows may still appear below the head. */
    boolean hasHoles() {
        return !frontier.isClear();
    }

    /** Returns what has to be scanned again, now that the writers were read after the scan of everything up to here. */
    List<SeqRange> review(Set<Writer> writers, long scannedTo) {
        return frontier.review(writers, Math.max(head(), scannedTo));
    }

    /** What was returned by the last review has been scanned again. */
    void reviewed() {
        frontier.reviewed();
    }

    /** Returns the holes up to here that may still be filled, for a store that cannot list its writers. */
    List<SeqRange> holes(long scannedTo, long nanos) {
        frontier.giveUp(nanos).ifPresent(lowest -> {
            audit.expectLateRows(nanos);
            // No look for late rows includes a closed topic: it is read again from here when it is reachable.
            cursors.keySet().forEach(topic -> lower(topic, lowest));
        });
        return frontier.below(Math.max(head(), scannedTo));
    }

    /** The topic is closed: its rows above the head are for later. */
    void closed(TopicName topic) {
        // Its rows may also lie in the ranges that are to be read again.
        cursors.putIfAbsent(topic, ranges.lowest());
    }

    /** The row of this message has to be read again. */
    void putBack(ClaimedMessage claimed) {
        TopicName topic = TopicName.of(claimed.message());
        if (cursors.containsKey(topic)) {
            lower(topic, claimed.seq() - 1);
        } else {
            again(claimed.seq());
        }
    }

    /** The row with this sequence has to be read again, whatever its topic. */
    void again(long seq) {
        again(new SeqRange(seq - 1, seq));
    }

    /**
     * The turn under way reads these ranges for late rows. Their holes are forgotten once they are read, so another
     * scan must begin below them until their rows are handed on.
     */
    void readLate(List<SeqRange> read) {
        late.addAll(read);
    }

    /** The rows of the ranges that were read for late rows were handed on or put back. */
    void acceptedLate() {
        late.clear();
    }

    /** The ranges that were read for late rows have to be read by the next turns. */
    void readLateAgain() {
        late.forEach(this::again);
        late.clear();
    }

    /** The rows in this range have to be read again. */
    void again(SeqRange range) {
        ranges.add(range.after(), range.upTo());
        goBack(range.after());
    }

    // Guards against a topic that catches up and passes a row which the main scan has still to come to.
    private void goBack(long seq) {
        wentBackTo = Math.min(wentBackTo, seq);
        cursors.keySet().forEach(topic -> lower(topic, seq));
    }

    /** More shards are ours: their rows are read from where the last owner was. */
    void gained(List<OwnedShard> shards) {
        shards.forEach(shard -> {
            ranges.startAt(shard.lowWater());
            goBack(shard.lowWater());
        });
    }

    /** Returns how far rows that this part may have missed were put back, or {@link Long#MAX_VALUE}. */
    long wentBackTo(Part part) {
        return part.topic() == null
                ? wentBackTo
                : Math.min(wentBackTo, loweredTo.getOrDefault(part.topic(), Long.MAX_VALUE));
    }

    /** Returns up to where every row that is part of the same scan was read. */
    long readTo(Part part) {
        return part.topic() == null ? ranges.lowest() : Long.MAX_VALUE;
    }

    /** Returns whether earlier messages of this message's key may have to be read first. */
    boolean isAhead(ClaimedMessage claimed) {
        Long cursor = cursors.get(TopicName.of(claimed.message()));
        return claimed.seq() > (cursor == null ? ranges.lowest() : Math.min(cursor, ranges.lowest()));
    }

    /** Returns where another scan may begin that must not miss anything this one has still to read. */
    long lowWater() {
        long lowestLate = late.stream().mapToLong(SeqRange::after).min().orElse(Long.MAX_VALUE);
        return Math.min(Math.min(lowest(), frontier.lowest()), lowestLate);
    }

    private long head() {
        long head = ranges.head();
        return head == Long.MAX_VALUE ? 0 : head;
    }

    private long lowest() {
        return cursors.values().stream().reduce(ranges.lowest(), Math::min);
    }

    private void lower(TopicName topic, long seq) {
        if (cursors.computeIfPresent(topic, (name, cursor) -> Math.min(cursor, seq)) != null) {
            loweredTo.merge(topic, seq, Math::min);
        }
    }
}
