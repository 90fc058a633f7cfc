package dev.postrider.relay;

import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.FetchedRow;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows and hands them on in an order that keeps the order of keys. A scan passes holes in the sequence, and
 * transactions that have not committed fill them later. So after every scan the relay reads which transactions are open
 * and scans the holes of those that have ended once more, before anything is sent: a message that could be seen was
 * enqueued after the earlier messages of its key had committed, so the later scan finds them all. A fetch that fails
 * has changed nothing and is repeated. For one thread at a time.
 */
final class Fetcher {

    private static final int MOST_REVIEWS = 4;
    private static final int MOST_LATE_PAGES = 16;
    private static final int AUDITED_AT_ONCE = 8;

    private final OutboxStore store;
    private final RelayState state;
    private @Nullable DuePosition duePosition;

    // Of the fetch under way, or of the last one.
    private boolean asked;
    private boolean full;
    private int taken;

    /** What a fetch came to. */
    enum Fetched {
        /** Nothing to fetch, or not allowed to. */
        NOTHING,
        /** Some messages. */
        SOME,
        /** More is likely waiting. */
        FULL,
        /** The prefetch limit is reached; outcomes have to be settled first. */
        SATURATED
    }

    /** A part of the table and what was read of it. */
    private record Read(Scan.Part part, FetchedPage page) {

        long readTo() {
            return part.readTo(page);
        }

        /** The store said that a shard has another owner. */
        boolean refused() {
            return page.full() && page.scannedTo() <= part.range().after();
        }
    }

    /**
     * What a scan and the look for late rows after it have found.
     *
     * @param rows the rows of both
     * @param checked rows that were read before the last look for late rows, so that none is missing below them; null
     *     if that holds for all
     * @param upTo everything up to here was read
     */
    private record Late(List<FetchedRow> rows, @Nullable Set<Long> checked, long upTo) {

        boolean isComplete(FetchedRow row) {
            return row.seq() <= upTo && (checked == null || checked.contains(row.seq()));
        }
    }

    /**
     * Where rows may have appeared since they were scanned.
     *
     * @param ranges what has to be scanned again
     * @param upTo up to where that is known
     */
    private record Appeared(List<SeqRange> ranges, long upTo) {}

    Fetcher(OutboxStore store, RelayState state) {
        this.store = store;
        this.state = state;
    }

    /** Returns whether the last fetch asked the store for anything. */
    boolean asked() {
        return asked;
    }

    /** Returns how many messages the last fetch brought. */
    int taken() {
        return taken;
    }

    /** Returns whether the last fetch took or saw as much as it was allowed to. */
    boolean full() {
        return full;
    }

    /** Fetches what fits of the messages that are new. */
    Fetched fetch() {
        asked = false;
        full = false;
        taken = 0;
        ClaimSize room = state.room();
        if (room == null) {
            return Fetched.SATURATED;
        }
        Scan.Part main = state.begin(room);
        if (main == null) {
            return Fetched.NOTHING;
        }
        try {
            return fetch(main, room);
        } finally {
            state.endFetch();
        }
    }

    // What a topic that catches up has is read before the writers are, or a late row below it would be overtaken.
    private Fetched fetch(Scan.Part main, ClaimSize room) {
        Read behind = catchUp(room);
        Read read = read(main, room, Set.of());
        if (read.refused()) {
            return Fetched.NOTHING;
        }
        Late late =
                late(read, room, behind == null ? Set.of() : seqs(behind.page().rows()));
        long readTo = Math.min(read.readTo(), late.upTo());
        taken += state.accept(main, readTo, late.rows(), late::isComplete);
        boolean below = main.range().upTo() < Long.MAX_VALUE;
        boolean more = read.page().full() || below || late.upTo() < Long.MAX_VALUE;
        if (behind != null) {
            long upTo = Math.min(behind.readTo(), late.upTo());
            taken += state.accept(behind.part(), upTo, behind.page().rows(), row -> row.seq() <= late.upTo());
            more |= behind.page().full() && behind.part().messages() > 1;
        }
        more |= audit();
        full |= more;
        if (more) {
            return Fetched.FULL;
        }
        return read.page().rows().isEmpty() && taken == 0 ? Fetched.NOTHING : Fetched.SOME;
    }

    private @Nullable Read catchUp(ClaimSize room) {
        Scan.Part part = state.catchUp(room);
        if (part == null) {
            return null;
        }
        Read read = read(part, new ClaimSize(Math.min(room.messages(), part.messages()), room.bytes()), Set.of());
        return read.refused() ? null : read;
    }

    private boolean audit() {
        Scan.Part part = state.audit().orElse(null);
        if (part == null) {
            return false;
        }
        Read read = new Read(part, ask(part, new ClaimSize(AUDITED_AT_ONCE, Long.MAX_VALUE), Set.of()));
        if (read.refused()) {
            return false;
        }
        state.audited(part, read.page());
        return !read.page().rows().isEmpty();
    }

    private Read read(Scan.Part part, ClaimSize size, Set<Long> known) {
        Read read = new Read(part, ask(part, size, known));
        if (!read.refused()) {
            state.saw(part, read.page());
        }
        return read;
    }

    private FetchedPage ask(Scan.Part part, ClaimSize size, Set<Long> known) {
        FetchRequest request = state.request(part, size, known);
        if (request == null) {
            // As a store answers that takes the relay for dead.
            return new FetchedPage(List.of(), part.range().after(), true, 0, List.of());
        }
        asked = true;
        try {
            FetchedPage page = store.fetch(request, part.range(), part.rows());
            state.answered(request, page.rows().size());
            return page;
        } catch (RuntimeException | Error e) {
            state.unanswered(request);
            throw e;
        }
    }

    // Rows found in one review are checked by the next one: another writer may have committed before them meanwhile.
    private Late late(Read main, ClaimSize room, Set<Long> caughtUp) {
        List<FetchedRow> rows = new ArrayList<>(main.page().rows());
        @Nullable Set<Long> checked = null;
        long upTo = Long.MAX_VALUE;
        for (int review = 0; review < MOST_REVIEWS && state.hasHoles(); review++) {
            asked = true;
            Optional<Set<Writer>> writers = store.writers();
            Appeared appeared = writers.isPresent()
                    ? new Appeared(Frontier.joined(state.review(writers.get(), main.readTo())), Long.MAX_VALUE)
                    : appeared(main, rows, caughtUp);
            List<SeqRange> ranges = appeared.ranges();
            upTo = Math.min(upTo, appeared.upTo());
            checked = seqs(rows);
            state.readLate(ranges);
            boolean all = readAll(ranges, room, rows);
            if (!all) {
                // Too much for one turn: the next turns scan these ranges before anything above them.
                state.readLateAgain();
                rows.removeIf(row -> row.seq() > ranges.get(0).after());
            }
            if (writers.isPresent()) {
                state.reviewed();
            }
            if (!all) {
                return new Late(rows, checked, Math.min(upTo, ranges.get(0).after()));
            }
            if (rows.size() == checked.size()) {
                return new Late(rows, null, upTo);
            }
        }
        return new Late(rows, checked, upTo);
    }

    private static Set<Long> seqs(List<FetchedRow> rows) {
        return rows.stream().map(FetchedRow::seq).collect(Collectors.toSet());
    }

    // A store that cannot list its writers tells which rows have appeared in the holes.
    private Appeared appeared(Read main, List<FetchedRow> rows, Set<Long> caughtUp) {
        List<SeqRange> holes = state.holes(main.readTo());
        List<Long> seqs = holes.isEmpty() ? List.of() : store.appeared(state.shards(), state.reachableTopics(), holes);
        Set<Long> known = seqs(rows);
        List<SeqRange> unread = seqs.stream()
                .filter(seq -> !known.contains(seq) && !caughtUp.contains(seq) && !state.isInFlight(seq))
                .map(seq -> new SeqRange(seq - 1, seq))
                .toList();
        boolean all = seqs.size() < OutboxStore.MOST_APPEARED;
        return new Appeared(Frontier.joined(unread), all ? Long.MAX_VALUE : seqs.get(seqs.size() - 1));
    }

    /** Reads ranges in their order and adds what they hold to {@code rows}; returns false if that is too much. */
    private boolean readAll(List<SeqRange> ranges, ClaimSize room, List<FetchedRow> rows) {
        int pages = 0;
        long bytes = 0;
        for (SeqRange range : ranges) {
            SeqRange left = range;
            while (left.after() < left.upTo()) {
                Scan.Part part = pages++ < MOST_LATE_PAGES && bytes < room.bytes() ? state.late(left) : null;
                Read read = part == null ? null : read(part, room, seqs(rows));
                if (read == null || read.refused()) {
                    return false;
                }
                rows.addAll(read.page().rows());
                bytes += read.page().rows().stream()
                        .mapToLong(row -> row.claimed().message().payloadSize())
                        .sum();
                left = new SeqRange(Math.min(read.readTo(), left.upTo()), left.upTo());
            }
        }
        return true;
    }

    /** Fetches what fits of those whose time has come, and returns whether more is likely waiting. */
    boolean fetchDue() {
        ClaimSize room = state.room();
        FetchRequest request = room == null ? null : state.beginDue(room);
        if (request == null) {
            return false;
        }
        asked = true;
        try {
            FetchedDue due = ask(request);
            duePosition = due.next();
            int accepted = state.acceptDue(due.rows(), due.next() != null);
            taken += accepted;
            full |= due.next() != null;
            return due.next() != null;
        } finally {
            state.endFetch();
        }
    }

    private FetchedDue ask(FetchRequest request) {
        try {
            FetchedDue due = store.fetchDue(request, duePosition);
            state.answered(request, due.rows().size());
            return due;
        } catch (RuntimeException | Error e) {
            state.unanswered(request);
            throw e;
        }
    }
}
