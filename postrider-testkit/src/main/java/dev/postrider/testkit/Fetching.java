package dev.postrider.testkit;

import dev.postrider.MessageStatus;
import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.TopicFilter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads rows for relays. Only the journal is written. Guarded by the store's lock. */
final class Fetching {

    private static final int DUE_ROWS_AT_ONCE = 5_000;

    private final Rows rows;
    private final ShardOwners ownership;
    private final Journal journal;

    Fetching(Rows rows, ShardOwners ownership, Journal journal) {
        this.rows = rows;
        this.ownership = ownership;
        this.journal = journal;
    }

    FetchedPage fetch(FetchRequest request, SeqRange range, int limit, Instant now) {
        journal.end(request.relay(), request.ended());
        if (!ownership.ownsAll(request, now)) {
            return new FetchedPage(List.of(), range.after(), true, 0, List.of());
        }
        Basket basket = new Basket(request.size());
        int seen = 0;
        long scannedTo = range.after();
        boolean full = false;
        for (Row row : rows.in(range)) {
            boolean fetchable = !row.waits() && isAskedFor(row, request, now);
            if (fetchable && !basket.fits(row)) {
                full = true;
                // Rows between the last one taken and this one belong to the next fetch.
                scannedTo = basket.lastSeq;
                seen = basket.seenAtLast;
                break;
            }
            if (seen == limit) {
                full = true;
                break;
            }
            seen++;
            scannedTo = row.seq;
            if (fetchable) {
                basket.add(row, seen);
            }
        }
        boolean dense = seen == scannedTo - range.after();
        List<SeqRange> holes = dense ? List.of() : List.of(new SeqRange(range.after(), scannedTo));
        return new FetchedPage(hand(basket, request, now), scannedTo, full, seen, holes);
    }

    FetchedDue fetchDue(FetchRequest request, @Nullable DuePosition after, Instant now) {
        journal.end(request.relay(), request.ended());
        if (!ownership.ownsAll(request, now)) {
            return new FetchedDue(List.of(), null);
        }
        Basket basket = new Basket(request.size());
        int seen = 0;
        DuePosition next = null;
        for (Map.Entry<DuePosition, Row> due : rows.dueAfter(after, now).entrySet()) {
            Row row = due.getValue();
            boolean fetchable = isAskedFor(row, request, now);
            if (seen == DUE_ROWS_AT_ONCE || (fetchable && !basket.fits(row))) {
                DuePosition cut = seen == DUE_ROWS_AT_ONCE ? next : basket.lastDue;
                return new FetchedDue(hand(basket, request, now), cut);
            }
            seen++;
            next = due.getKey();
            if (fetchable) {
                basket.add(row, seen);
                basket.lastDue = next;
            }
        }
        return new FetchedDue(hand(basket, request, now), null);
    }

    List<Long> appeared(Set<Integer> shards, TopicFilter topics, List<SeqRange> holes) {
        TreeSet<Long> appeared = new TreeSet<>();
        for (SeqRange hole : holes) {
            rows.in(hole).stream()
                    .filter(row -> row.status == MessageStatus.PENDING && !row.waits())
                    .filter(row -> shards.contains(row.shard) && topics.includes(row.topic))
                    .limit(OutboxStore.MOST_APPEARED)
                    .forEach(row -> appeared.add(row.seq));
        }
        return appeared.stream().limit(OutboxStore.MOST_APPEARED).toList();
    }

    private static boolean isAskedFor(Row row, FetchRequest request, Instant now) {
        return row.isOpen(now)
                && request.epochs().containsKey(row.shard)
                && request.topics().includes(row.topic)
                && !request.inFlight().contains(row.seq);
    }

    private List<FetchedRow> hand(Basket basket, FetchRequest request, Instant now) {
        journal.add(request.relay(), request.token(), basket.rows, now);
        return basket.rows.stream()
                .map(row -> new FetchedRow(row.fetched(request), rows.holderBefore(row)))
                .toList();
    }

    /** What one fetch has taken so far. */
    private static final class Basket {

        final List<Row> rows = new ArrayList<>();
        long lastSeq;
        int seenAtLast;

        @Nullable DuePosition lastDue;

        private final ClaimSize size;
        private long bytes;

        Basket(ClaimSize size) {
            this.size = size;
        }

        boolean fits(Row row) {
            return rows.isEmpty()
                    || (rows.size() < size.messages() && bytes + row.message.payloadSize() <= size.bytes());
        }

        void add(Row row, int seen) {
            rows.add(row);
            bytes += row.message.payloadSize();
            lastSeq = row.seq;
            seenAtLast = seen;
        }
    }
}
