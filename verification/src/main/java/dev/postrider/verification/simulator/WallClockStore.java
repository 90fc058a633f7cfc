package dev.postrider.verification.simulator;

import dev.postrider.spi.Acquired;
import dev.postrider.spi.DuePosition;
import dev.postrider.spi.FetchRequest;
import dev.postrider.spi.FetchedDue;
import dev.postrider.spi.FetchedPage;
import dev.postrider.spi.Membership;
import dev.postrider.spi.OutboxStore;
import dev.postrider.spi.RelayReport;
import dev.postrider.spi.SeqRange;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store that believes the wall clock of the process that calls. */
final class WallClockStore extends ForwardingStore {

    private final long error;
    private final LongConsumer clock;

    /** Sets the {@code clock} wrong by {@code error} nanoseconds during each call. */
    WallClockStore(OutboxStore store, long error, LongConsumer clock) {
        super(store);
        this.error = error;
        this.clock = clock;
    }

    private <T> T wrong(Supplier<T> call) {
        clock.accept(error);
        try {
            return call.get();
        } finally {
            clock.accept(0);
        }
    }

    @Override
    public FetchedPage fetch(FetchRequest request, SeqRange range, int rows) {
        return wrong(() -> super.fetch(request, range, rows));
    }

    @Override
    public FetchedDue fetchDue(FetchRequest request, @Nullable DuePosition after) {
        return wrong(() -> super.fetchDue(request, after));
    }

    @Override
    public Membership renew(RelayReport report, Duration ownFor) {
        return wrong(() -> super.renew(report, ownFor));
    }

    @Override
    public Acquired acquire(String relay, Set<Integer> shards) {
        return wrong(() -> super.acquire(relay, shards));
    }
}
