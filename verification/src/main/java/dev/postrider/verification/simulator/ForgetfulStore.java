package dev.postrider.verification.simulator;

import dev.postrider.spi.ClaimSize;
import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.SeqRange;
import dev.postrider.spi.TopicFilter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A database server that forgets the last entries of the in-flight journal when it crashes. */
final class ForgetfulStore extends ForwardingStore {

    private static final int REMEMBERED = 16;
    private static final SeqRange NOTHING = new SeqRange(0, 0);

    private final Deque<Entry> last = new ArrayDeque<>();

    private record Entry(String relay, long token) {}

    ForgetfulStore(OutboxStore store) {
        super(store);
    }

    @Override
    public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
        FetchedPage page = super.fetch(request, range, rows);
        remember(request, page.rows().size());
        return page;
    }

    @Override
    public FetchedDue fetchDue(FetchRequest request, @Nullable DuePosition after) {
        FetchedDue due = super.fetchDue(request, after);
        remember(request, due.rows().size());
        return due;
    }

    private void remember(FetchRequest request, int rows) {
        if (rows > 0) {
            last.addLast(new Entry(request.relay(), request.token()));
            if (last.size() > REMEMBERED) {
                last.removeFirst();
            }
        }
    }

    /** Forgets the last entries, at most so many. */
    void forget(int entries) {
        for (int i = 0; i < entries && !last.isEmpty(); i++) {
            Entry entry = last.removeLast();
            // A request removes entries before it reads, and this one reads nothing.
            FetchRequest removal = new FetchRequest(
                    entry.relay,
                    Map.of(),
                    TopicFilter.ALL,
                    new ClaimSize(1, 1),
                    Set.of(),
                    entry.token,
                    Set.of(entry.token));
            store.fetch(removal, NOTHING, 1);
        }
    }
}
